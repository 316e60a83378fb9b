#include "engine/redact.h"

#include <string>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

const std::string kToken = std::string("hf") + "_AbCdEfGhIjKlMnOpQrStUvWxYz01234567";

TEST(RedactTextTest, Marks) {
  EXPECT_EQ(RedactText("HF_TOKEN=" + kToken + " in /home/alice/x for ann@example.org"),
            "HF_TOKEN=*** in ~/x for ***@***");
  EXPECT_EQ(RedactText("/gpfs/home/alice/x https://me:s3cret@h/"),
            "/gpfs/home/***/x https://me:***@h/");
  EXPECT_EQ(RedactText(RedactText("A_TOKEN=abc /home/alice")), "A_TOKEN=*** ~");
}

TEST(RedactTest, ColumnsAreOfTheTextShown) {
  const struct {
    const char* text;
    int column;
    const char* redacted;
    int moved;
  } rows[] = {
      {"/home/alice/a.cu:1: error: x", 21, "~/a.cu:1: error: x", 11},
      {"error: x", 1, "error: x", 1},
      {"error in /home/alice/a.cu", 1, "error in ~/a.cu", 1},
      {"in /home/alice/a /home/alice/b", 20, "in ~/a ~/b", 8},  // inside the second
      {"in /home/alice/a", 15, "in ~/a", 5},
      {"/home/alice", 0, "~", 0},
  };
  for (const auto& row : rows) {
    Report report;
    report.diagnoses.emplace_back();
    Evidence evidence;
    evidence.text = row.text;
    evidence.column = row.column;
    evidence.source = SourceLocation{"/home/alice/a.cu", 1, 0};
    report.diagnoses[0].evidence = {evidence};
    Redact(report);
    EXPECT_EQ(report.diagnoses[0].evidence[0].text, row.redacted);
    EXPECT_EQ(report.diagnoses[0].evidence[0].column, row.moved) << row.text;
    EXPECT_EQ(report.diagnoses[0].evidence[0].source->file, "~/a.cu");
  }
}

TEST(RedactTest, FactsFitTheirTypes) {
  const struct {
    ValueType type;
    const char* value;
    const char* redacted;  // "" for a fact that is gone
  } rows[] = {
      {ValueType::kPath, "/home/alice/cuda", "~/cuda"},
      {ValueType::kUrl, "https://me:s3cret@h/simple", "https://me:hidden@h/simple"},
      {ValueType::kHeader, "/home/alice/x.h", "hidden/x.h"},
      {ValueType::kCommand, "A_TOKEN=abc pip install y", "A_TOKEN=*** pip install y"},
      {ValueType::kVersion, "12.8", "12.8"},
      {ValueType::kText, "from ann@example.org", "from ***@***"},
  };
  for (const auto& row : rows) {
    Report report;
    report.facts.push_back({.name = "x", .type = row.type, .value = row.value});
    Redact(report);
    ASSERT_EQ(report.facts.size(), 1u) << row.value;
    EXPECT_EQ(report.facts[0].value, row.redacted);
    EXPECT_EQ(Normalize(row.type, report.facts[0].value), row.redacted);
  }
}

TEST(RedactTest, CommandsStayComplete) {
  Report report;
  report.diagnoses.emplace_back();
  Remedy remedy;
  remedy.steps = {
      {"HF_TOKEN=" + kToken + " PIP_INDEX_URL=https://me:s3cret@h/ pip install '/home/alice/x y'",
       ""},
      {"pip install -i 'https://me:s3cret@h/?a' /home/alice/b /home/bob/c", "see /home/alice"},
      {"pip install -i https://me:other@h/ /gpfs/home/alice/x /mnt/c/Users/alice/y", ""},
      {"curl -H 'Authorization: Bearer abc'\\''def' x", ""},
      {"echo \"HF_TOKEN=abc", ""},
  };
  remedy.env = {{"CUDA_HOME", "/home/alice/cuda"}, {"URL", "https://me:s3cret@h/"}};
  remedy.check = Check{"ls /home/alice/x", "says /home/alice/x"};
  report.diagnoses[0].remedies = {remedy};
  Redact(report);
  const Remedy& redacted = report.diagnoses[0].remedies[0];
  EXPECT_EQ(redacted.steps[0].run,
            "HF_TOKEN=\"$HF_TOKEN\" PIP_INDEX_URL=https://me:\"$INDEX_PASSWORD\"@h/ "
            "pip install \"$HOME\"'/x y'");
  EXPECT_EQ(redacted.steps[0].note,
            "HF_TOKEN stands for what this report hides; set it first; "
            "INDEX_PASSWORD stands for what this report hides; set it first");
  EXPECT_EQ(redacted.steps[1].run,
            "pip install -i 'https://me:'\"$INDEX_PASSWORD\"'@h/?a' $HOME/b $HOME_2/c");
  EXPECT_EQ(redacted.steps[1].note,
            "see ~; HOME_2 stands for what this report hides; set it first");
  EXPECT_EQ(redacted.steps[2].run,
            "pip install -i https://me:\"$INDEX_PASSWORD_2\"@h/ /gpfs/home/$USER/x "
            "/mnt/c/Users/$WINDOWS_USER/y");
  EXPECT_EQ(redacted.steps[2].note,
            "INDEX_PASSWORD_2 stands for what this report hides; set it first; "
            "WINDOWS_USER stands for the name of your folder in C:\\Users");
  EXPECT_EQ(redacted.steps[3].run.find("abc"), std::string::npos);
  EXPECT_EQ(redacted.steps[4].run, "");
  EXPECT_NE(redacted.steps[4].note.find("left out"), std::string::npos);
  EXPECT_EQ(redacted.env[0].second, "$HOME/cuda");
  EXPECT_EQ(redacted.env[1].second, "https://me:$INDEX_PASSWORD@h/");
  EXPECT_EQ(redacted.check->run, "ls $HOME/x");
  EXPECT_EQ(redacted.check->says, "says ~/x");
}

TEST(RedactTest, EveryText) {
  const std::string secret = "/home/alice A_TOKEN=" + kToken;
  Report report;
  report.units.push_back({.id = 1, .kind = "command", .name = secret});
  Diagnosis diagnosis;
  diagnosis.fingerprint = "0123456789abcdef";
  diagnosis.title = diagnosis.package = secret;
  diagnosis.symptoms.push_back({"x", 1, secret});
  diagnosis.avoid = {secret};
  Remedy remedy;
  remedy.title = remedy.why = remedy.cost = secret;
  remedy.steps = {{"", secret}};
  diagnosis.remedies = {remedy};
  report.diagnoses = {diagnosis};
  report.excerpts = {{1, {secret}}};
  Redact(report);
  const Diagnosis& redacted = report.diagnoses[0];
  for (const std::string& text :
       {report.units[0].name, redacted.title, redacted.package,
        redacted.symptoms[0].text, redacted.avoid[0], redacted.remedies[0].title,
        redacted.remedies[0].why, redacted.remedies[0].cost, redacted.remedies[0].steps[0].note,
        report.excerpts[0].lines[0]}) {
    EXPECT_EQ(text, "~ A_TOKEN=***");
  }
  EXPECT_EQ(redacted.fingerprint, "0123456789abcdef");
}

TEST(RedactTest, PrivateKeysInExcerpts) {
  const std::string begin = std::string("-----BEGIN OPENSSH ") + "PRIVATE KEY-----";
  const std::string end = std::string("-----END OPENSSH ") + "PRIVATE KEY-----";
  const std::string body = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAE";
  Report report;
  report.excerpts = {{1, {"before", begin, body, "tail==", end, "after"}},
                     {20, {"before it", body, "x " + body, end, "after"}},
                     {30, {"before", begin, body}},
                     {40, {begin + body + end, "after"}}};
  Redact(report);
  using Lines = std::vector<std::string>;
  EXPECT_EQ(report.excerpts[0].lines, (Lines{"before", begin, "***", "***", end, "after"}));
  EXPECT_EQ(report.excerpts[1].lines, (Lines{"before it", "***", "***", end, "after"}));
  EXPECT_EQ(report.excerpts[2].lines, (Lines{"before", begin, "***"}));
  EXPECT_EQ(report.excerpts[3].lines, (Lines{begin + "***" + end, "after"}));
}

}  // namespace
}  // namespace cudadoctor
