#include "host/python_environment.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "recorded_machine.h"

namespace cudadoctor {
namespace {

std::string Python(const std::string& prefix, const std::string& version) {
  return absl::StrCat("@@ program ", prefix, "/bin/python", version, "\n@@ folder ", prefix,
                      "/lib/python", version, "/site-packages\n");
}

TEST(FindPythonEnvironmentTest, InTheOrderOfTools) {
  const std::string system = "@@ env PATH=/usr/bin\n@@ link /usr/bin/python3 python3.9\n" +
                             Python("/usr", "3.9") + Python("/usr", "3.13");
  const std::string venv =
      Python("/v", "3.12") + "@@ file /v/pyvenv.cfg\nversion = 3.12.1\nhome = /usr/bin\n";
  const std::string pyenv = "@@ env PATH=/p/shims:/usr/bin\n@@ program /p/shims/python3\n" +
                            Python("/p/versions/3.11.7", "3.11") +
                            Python("/p/versions/3.12.10", "3.12") +
                            Python("/p/versions/3.12.9", "3.12");
  struct Row {
    const char* name;
    std::string tree;
    std::string found;
  };
  const Row rows[] = {
      {"none", "", "   "},
      {"of the system", system, "system /usr /usr/bin/python3 3.9"},
      {"VIRTUAL_ENV", "@@ env VIRTUAL_ENV=/v\n" + system + venv,
       "venv /v /v/bin/python3.12 3.12.1"},
      {"VIRTUAL_ENV over conda",
       "@@ env VIRTUAL_ENV=/v\n@@ env CONDA_PREFIX=/c\n@@ folder "
       "/c/conda-meta\n" +
           Python("/c", "3.10") + venv,
       "venv /v /v/bin/python3.12 3.12.1"},
      {"conda", "@@ env CONDA_PREFIX=/c\n@@ folder /c/conda-meta\n" + Python("/c", "3.10") + system,
       "conda /c /c/bin/python3.10 3.10"},
      {"conda without Python", "@@ env CONDA_PREFIX=/c\n@@ folder /c/conda-meta\n" + system,
       "system /usr /usr/bin/python3 3.9"},
      {"a VIRTUAL_ENV that is gone", "@@ env VIRTUAL_ENV=/gone\n" + system,
       "system /usr /usr/bin/python3 3.9"},
      {"not activated, on PATH", venv + "@@ env PATH=/v/bin\n@@ link /v/bin/python3 python3.12\n",
       "venv /v /v/bin/python3 3.12.1"},
      {"uv's, above",
       "@@ cwd /a/b\n" + system + Python("/a/.venv", "3.13") +
           "@@ file /a/.venv/pyvenv.cfg\nuv = 0.7.0\nversion_info = 3.13.5\n",
       "uv /a/.venv /a/.venv/bin/python3.13 3.13.5"},
      {"another's .venv",
       "@@ cwd /a\n" + system + Python("/a/.venv", "3.13") +
           "@@ file /a/.venv/pyvenv.cfg\nversion = 3.13.5\n",
       "system /usr /usr/bin/python3 3.9"},
      {"pyenv, everywhere", pyenv + "@@ file /p/version\n3.11.7\n",
       "system /p/versions/3.11.7 /p/versions/3.11.7/bin/python3.11 3.11"},
      {"pyenv, here",
       pyenv + "@@ cwd /w/x\n@@ file /p/version\n3.11.7\n@@ file "
               "/w/.python-version\n3.12\n",
       "system /p/versions/3.12.10 /p/versions/3.12.10/bin/python3.12 3.12"},
      {"pyenv, by variable", pyenv + "@@ env PYENV_VERSION=3.12.9:3.11.7\n",
       "system /p/versions/3.12.9 /p/versions/3.12.9/bin/python3.12 3.12"},
  };
  for (const Row& row : rows) {
    const RecordedMachine recorded(row.tree);
    ASSERT_TRUE(recorded.mistakes().empty()) << row.name;
    const PythonEnvironment found = FindPythonEnvironment(Machine(recorded.sources()));
    EXPECT_EQ(absl::StrJoin({found.kind, found.prefix, found.python, found.version}, " "),
              row.found)
        << row.name;
  }
}

TEST(FindPythonEnvironmentTest, WhereItLooksForPackages) {
  const std::string folders =
      "@@ folder /home/a/.local/lib/python3.12/site-packages\n"
      "@@ folder /usr/local/lib/python3.12/dist-packages\n"
      "@@ folder /usr/lib/python3/dist-packages\n@@ env HOME=/home/a\n@@ env PATH=/usr/bin\n"
      "@@ link /usr/bin/python3 python3.12\n@@ program /usr/bin/python3.12\n";
  struct Row {
    const char* name;
    std::string tree;
    std::string folders;
  };
  const std::string all =
      "/home/a/.local/lib/python3.12/site-packages /usr/local/lib/python3.12/dist-packages "
      "/usr/lib/python3/dist-packages";
  const std::string venv = "@@ env VIRTUAL_ENV=/v\n" + Python("/v", "3.12");
  const Row rows[] = {
      {"Debian", folders, all},
      {"without the user's", folders + "@@ env PYTHONNOUSERSITE=1\n",
       "/usr/local/lib/python3.12/dist-packages /usr/lib/python3/dist-packages"},
      {"an environment", folders + venv + "@@ file /v/pyvenv.cfg\nhome = /usr/bin\n",
       "/v/lib/python3.12/site-packages"},
      {"an environment upon the system",
       folders + venv +
           "@@ file /v/pyvenv.cfg\nhome = /usr/bin\ninclude-system-site-packages = true\n",
       "/v/lib/python3.12/site-packages " + all},
  };
  for (const Row& row : rows) {
    const RecordedMachine recorded(row.tree);
    ASSERT_TRUE(recorded.mistakes().empty()) << row.name;
    const PythonEnvironment found = FindPythonEnvironment(Machine(recorded.sources()));
    EXPECT_EQ(absl::StrJoin(found.folders, " "), row.folders) << row.name;
  }
}

TEST(DistributionsTest, NamesAndVersions) {
  const RecordedMachine recorded(
      "@@ folder /a/flash_attn-2.8.3.dist-info\n@@ folder /a/Scikit_Build.Core-0.11.dist-info\n"
      "@@ folder /a/numpy-1.26.4-py3.12.egg-info\n@@ file /a/old-1.0.egg-info\n"
      "@@ folder /a/broken.dist-info\n@@ folder /a/torch\n@@ folder /b/numpy-2.0.dist-info\n");
  PythonEnvironment environment;
  environment.folders = {"/a", "/b", "/none"};
  std::vector<std::string> found;
  for (const auto& [name, distribution] : Distributions(Machine(recorded.sources()), environment))
    found.push_back(absl::StrCat(name, " ", distribution.version, " ", distribution.folder));
  EXPECT_EQ(found, (std::vector<std::string>{"flash-attn 2.8.3 /a", "numpy 1.26.4 /a", "old 1.0 /a",
                                             "scikit-build-core 0.11 /a"}));
}

}  // namespace
}  // namespace cudadoctor
