#include "remedy/way.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

std::string Typed(const std::string& run, const std::string& project,
                  const std::string& interpreter = "") {
  static const std::unique_ptr<RuleSet> rules = *RuleSet::Create();
  FactStore facts;
  if (!project.empty()) facts.Add({"project", ValueType::kWord, project, Origin::kLog, 1, 1});
  if (!interpreter.empty())
    facts.Add({"interpreter", ValueType::kPath, interpreter, Origin::kLog, 1, 1});
  const Knowledge knowledge([](std::string_view) { return std::string_view(); });
  const std::vector<DerivedFact> derived;
  const absl::StatusOr<std::string> typed =
      InProject(run, *rules, Resolver(facts, derived, knowledge));
  return typed.ok() ? *typed : std::string(typed.status().message());
}

TEST(InProjectTest, AnInstallationIsTheToolsOwn) {
  const struct {
    const char* project;
    const char* run;
    const char* typed;
  } rows[] = {
      {"", "pip install 'numpy<2'", "pip install 'numpy<2'"},
      {"hatch", "pip install 'numpy<2'", "pip install 'numpy<2'"},
      {"uv", "pip install 'numpy<2'", "uv add 'numpy<2'"},
      {"uv", "uv pip install --reinstall torch==2.10.0 --torch-backend=cu130",
       "uv add torch==2.10.0 --index "
       "pytorch-cu130=https://download.pytorch.org/whl/cu130"},
      {"uv", "uv pip install --upgrade transformers", "uv add --upgrade transformers"},
      {"uv", "python -m pip install --upgrade 'transformers>=4'", "uv add 'transformers>=4'"},
      {"poetry", "pip install torch==2.5.1 --index-url https://download.pytorch.org/whl/cu121",
       "poetry source add --priority=explicit pytorch-cu121 "
       "https://download.pytorch.org/whl/cu121 && poetry add --source pytorch-cu121 torch==2.5.1"},
      {"pdm", "pip install 'numpy<2' scipy", "pdm add 'numpy<2' scipy"},
      {"pixi", "pip install ninja", "pixi add --pypi ninja"},
      {"pipenv", "pip install ninja && pip install cmake",
       "pipenv install ninja && pipenv install cmake"},
      {"pipenv", "python -c 'import torch'", "pipenv run python -c 'import torch'"},
      // What has no such way stays.
      {"pdm", "pip install torch --index-url https://index.example.org/simple",
       "pip install torch --index-url https://index.example.org/simple"},
      {"uv", "pip install --only-binary :all: regex", "pip install --only-binary :all: regex"},
      {"uv", "pip install .", "pip install ."},
      {"uv", "pip install 'git+https://example.org/a.git'",
       "pip install 'git+https://example.org/a.git'"},
      {"uv", "uv pip install torch --torch-backend=auto",
       "uv pip install torch --torch-backend=auto"},
      {"uv", "A=1 pip install ninja", "A=1 pip install ninja"},
      {"uv", "pip install ninja | tee log", "pip install ninja | tee log"},
      {"uv", "python -m pip download torch", "python -m pip download torch"},
      {"uv", "apt-get install -y gcc", "apt-get install -y gcc"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(Typed(row.run, row.project), row.typed) << row.project << ": " << row.run;
}

TEST(InProjectTest, AnInterpreterThatIsNotOnPath) {
  const std::string python = "/opt/app/bin/python";
  EXPECT_EQ(Typed("pip install 'numpy<2'", "", python),
            "/opt/app/bin/python -m pip install 'numpy<2'");
  EXPECT_EQ(Typed("A=1 python -c x", "", python), "A=1 /opt/app/bin/python -c x");
  EXPECT_EQ(Typed("pip install x", "", R"(.\python_embeded\python.exe)"),
            R"('.\python_embeded\python.exe' -m pip install x)");
  EXPECT_EQ(Typed("uv pip install x", "", python), "uv pip install x");
  EXPECT_EQ(Typed("pipx install x", "", python), "pipx install x");
}

}  // namespace
}  // namespace cudadoctor
