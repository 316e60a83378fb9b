#include "redact/report.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

Diagnosis WithRuns(const std::vector<std::string>& runs) {
  Diagnosis diagnosis;
  diagnosis.remedies.emplace_back();
  for (const std::string& run : runs) diagnosis.remedies[0].steps.push_back({run, ""});
  return diagnosis;
}

TEST(NameMasksTest, VariablesStandForMasks) {
  const struct {
    const char* run;
    const char* named;
  } rows[] = {
      {"pip install x", "pip install x"},
      {"HF_TOKEN=*** pip install x", "HF_TOKEN=\"$HF_TOKEN\" pip install x"},
      {"HF_TOKEN='***' pip install x", "HF_TOKEN=\"$HF_TOKEN\" pip install x"},
      {"pip install -i 'https://***@h.example.org/simple' x",
       "pip install -i \"https://$INDEX_CREDENTIALS@h.example.org/simple\" x"},
      {"pip install -i 'https://me:****@h.example.org/simple' x",
       "pip install -i \"https://me:$INDEX_PASSWORD@h.example.org/simple\" x"},
      {"pip install 'git+https://***@github.com/o/r.git'",
       "pip install \"git+https://$GIT_CREDENTIALS@github.com/o/r.git\""},
      {"conda install -c 'https://c.example.org/t/***/ch' x",
       "conda install -c \"https://c.example.org/t/$CONDA_TOKEN/ch\" x"},
      {"pip download 'https://h.example.org/x.whl?sig=***'",
       "pip download \"https://h.example.org/x.whl?sig=$URL_SIG\""},
      {"uv publish --token '***' x", "uv publish --token \"$TOKEN\" x"},
      {"cmake -DAPI_KEY=*** ..", "cmake -DAPI_KEY=\"$API_KEY\" .."},
      {"curl -H 'Authorization: Bearer ***' x",
       "curl -H \"Authorization: Bearer $AUTHORIZATION\" x"},
      {"echo '***'", "echo \"$SECRET\""},
      {"echo \"HF_TOKEN=***", ""},
  };
  for (const auto& row : rows) {
    Diagnosis diagnosis = WithRuns({row.run});
    NameMasks(diagnosis);
    const Step& step = diagnosis.remedies[0].steps[0];
    EXPECT_EQ(step.run, row.named);
    EXPECT_EQ(step.note.empty(), std::string(row.run).find("***") == std::string::npos) << row.run;
  }
}

TEST(NameMasksTest, NotesSayOnceWhatIsMissing) {
  Diagnosis diagnosis = WithRuns({"pip install -i 'https://***@h.example.org/'",
                                  "A_TOKEN=*** x -i 'https://***@h.example.org/'"});
  diagnosis.remedies[0].env = {{"URL", "https://***@h.example.org/"}};
  NameMasks(diagnosis);
  const Remedy& remedy = diagnosis.remedies[0];
  EXPECT_EQ(remedy.steps[0].note,
            "INDEX_CREDENTIALS stands for what is not shown here; set it first");
  EXPECT_EQ(remedy.steps[1].note, "A_TOKEN stands for what is not shown here; set it first");
  EXPECT_EQ(remedy.env[0].second, "https://$INDEX_CREDENTIALS@h.example.org/");
}

TEST(HideCredentialsTest, OfFacts) {
  const struct {
    ValueType type;
    const char* value;
    const char* hidden;
  } rows[] = {
      {ValueType::kUrl, "https://me:pw@h.example.org/simple", "https://***@h.example.org/simple"},
      {ValueType::kCommand, "A_TOKEN=abc pip install y", "A_TOKEN=*** pip install y"},
      {ValueType::kVersion, "12.8", "12.8"},
      {ValueType::kPath, "/t/abcdef12/x", ""},
  };
  for (const auto& row : rows) {
    Fact fact{.name = "x", .type = row.type, .value = row.value};
    HideCredentials(fact);
    EXPECT_EQ(fact.value, row.hidden);
  }
}

TEST(HidePeopleTest, ColumnsAreOfTheTextShown) {
  const struct {
    const char* text;
    int column;
    const char* shown;
    int moved;
  } rows[] = {
      {"/home/alice/a.cu:1: error: x", 21, "/home/user1/a.cu:1: error: x", 21},
      {"error: x", 1, "error: x", 1},
      {"in /home/alice-b/a", 18, "in /home/user1/a", 16},
      {"in /home/alice/a", 12, "in /home/user1/a", 10},
      {"/home/alice", 0, "/home/user1", 0},
  };
  for (const auto& row : rows) {
    Report report;
    report.diagnoses.emplace_back();
    Evidence evidence;
    evidence.text = row.text;
    evidence.column = row.column;
    report.diagnoses[0].evidence = {evidence};
    HidePeople({&report, 1});
    EXPECT_EQ(report.diagnoses[0].evidence[0].text, row.shown);
    EXPECT_EQ(report.diagnoses[0].evidence[0].column, row.moved) << row.text;
  }
}

TEST(HidePeopleTest, FactsFitTheirTypes) {
  const struct {
    ValueType type;
    const char* value;
    const char* shown;
  } rows[] = {
      {ValueType::kPath, "/home/alice/cuda", "/home/user1/cuda"},
      {ValueType::kVersion, "12.8", "12.8"},
      {ValueType::kText, "from ann@example.org", "from user1@***"},
      {ValueType::kHeader, "ann@example.org", "hidden"},
  };
  for (const auto& row : rows) {
    Report report;
    report.facts.push_back({.name = "x", .type = row.type, .value = row.value});
    HidePeople({&report, 1});
    EXPECT_EQ(report.facts[0].value, row.shown);
  }
}

TEST(HidePeopleTest, CommandsStayComplete) {
  Report report;
  report.diagnoses.push_back(WithRuns({
      "pip install '/home/alice/x y'",
      "pip install /home/alice/b /home/bob/c",
      "pip install /gpfs/home/alice/x /mnt/c/Users/alice/y",
      "echo \"/home/alice",
  }));
  Remedy& remedy = report.diagnoses[0].remedies[0];
  remedy.env = {{"CUDA_HOME", "/home/alice/cuda"}};
  remedy.check = Check{"ls /home/alice/x", "says /home/alice/x"};
  HidePeople({&report, 1});
  EXPECT_EQ(remedy.steps[0].run, "pip install \"$HOME/x y\"");
  EXPECT_EQ(remedy.steps[1].run, "pip install $HOME/b $HOME_2/c");
  EXPECT_EQ(remedy.steps[1].note, "HOME_2 stands for what is not shown here; set it first");
  EXPECT_EQ(remedy.steps[2].run, "pip install /gpfs/home/$USER/x /mnt/c/Users/$WINDOWS_USER/y");
  EXPECT_EQ(remedy.steps[2].note, "WINDOWS_USER stands for the name of your folder in C:\\Users");
  EXPECT_EQ(remedy.steps[3].run, "");
  EXPECT_NE(remedy.steps[3].note.find("left out"), std::string::npos);
  EXPECT_EQ(remedy.env[0].second, "$HOME/cuda");
  EXPECT_EQ(remedy.check->run, "ls $HOME/x");
  EXPECT_EQ(remedy.check->says, "says /home/user1/x");
}

TEST(HidePeopleTest, EveryTextAndTwoPeopleStayTwo) {
  const std::string text = "/home/alice /scratch/bobby/x by alice";
  Report report;
  report.input.name = report.input.path_in_tree = text;
  report.units.push_back({.id = 1, .kind = "command", .name = text});
  Diagnosis diagnosis;
  diagnosis.fingerprint = "0123456789abcdef";
  diagnosis.title = diagnosis.package = text;
  diagnosis.symptoms.push_back({"x", 1, text});
  diagnosis.avoid = {text};
  Remedy remedy;
  remedy.title = remedy.why = remedy.cost = text;
  remedy.steps = {{"", text}};
  diagnosis.remedies = {remedy};
  report.diagnoses = {diagnosis};
  report.excerpts = {{1, {text}}};
  std::vector<Report> reports = {report, report};
  HidePeople(reports);
  for (const Report& shown : reports) {
    const Diagnosis& hidden = shown.diagnoses[0];
    for (const std::string& one :
         {shown.input.name, shown.input.path_in_tree, shown.units[0].name, hidden.title,
          hidden.package, hidden.symptoms[0].text, hidden.avoid[0], hidden.remedies[0].title,
          hidden.remedies[0].why, hidden.remedies[0].cost, hidden.remedies[0].steps[0].note,
          shown.excerpts[0].lines[0]}) {
      EXPECT_EQ(one, "/home/user1 /scratch/user2/x by user1");
    }
    EXPECT_EQ(hidden.fingerprint, "0123456789abcdef");
  }
}

}  // namespace
}  // namespace cudadoctor
