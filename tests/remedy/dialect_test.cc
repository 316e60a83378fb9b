#include "remedy/dialect.h"

#include <string>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

struct Row {
  const char* run;
  const char* typed;  // nullptr: it cannot be said there
};

void Check(Shell shell, std::initializer_list<Row> rows) {
  for (const Row& row : rows) {
    const std::optional<std::string> typed = InShell(row.run, shell);
    EXPECT_EQ(typed.value_or("(nothing)"), row.typed == nullptr ? "(nothing)" : row.typed)
        << row.run;
  }
}

TEST(InShellTest, PosixStays) {
  Check(Shell::kPosix,
        {{"A='b c' pip install 'numpy<2' | tail", "A='b c' pip install 'numpy<2' | tail"}});
}

TEST(InShellTest, Cmd) {
  Check(Shell::kCmd, {
                         {"pip install torch", "pip install torch"},
                         {"pip install 'numpy<2'", "pip install \"numpy<2\""},
                         {"pip install \"numpy<2\" '.[dev]'", "pip install \"numpy<2\" .[dev]"},
                         {"MAX_JOBS=4 pip install .", "set \"MAX_JOBS=4\"\npip install ."},
                         {"export A=1 B='x y'", "set \"A=1\"\nset \"B=x y\""},
                         {"export PATH=$HOME/bin:$PATH", "set \"PATH=%USERPROFILE%/bin;%PATH%\""},
                         {"unset A B", "set A=\nset B="},
                         {"echo 'setuptools<81' > c.txt", "echo setuptools^<81> c.txt"},
                         {"echo 'a & b' >> c.txt", "echo a ^& b>> c.txt"},
                         {"python3 -m venv .venv && . .venv/bin/activate",
                          "python -m venv .venv\n.venv\\Scripts\\activate"},
                         {"source .venv/bin/activate", ".venv\\Scripts\\activate"},
                         {"python -c 'print(\"x\")'", "python -c \"print(\\\"x\\\")\""},
                         // What a rule wrote for Windows.
                         {"dir \"%CUDA_PATH%\\lib\\x64\"", "dir \"%CUDA_PATH%\\lib\\x64\""},
                         {"tasklist | findstr cl.exe", "tasklist | findstr cl.exe"},
                         // What Windows has not.
                         {"sudo apt-get install -y gcc", nullptr},
                         {"ls /usr/local", nullptr},
                         {"pip list | grep 'torch'", nullptr},
                         {"pip install torch==$(cat v)", nullptr},
                         {"pip install torch==`cat 'v'`", nullptr},
                         {"export A", nullptr},
                         {"cat 'x' > y", nullptr},
                         {"pip install 'unclosed", nullptr},
                         {"> 'x'", ""},
                     });
}

TEST(InShellTest, PowerShell) {
  Check(Shell::kPowerShell,
        {
            {"pip install 'numpy<2'", "pip install 'numpy<2'"},
            {"pip install 'it'\\''s'", "pip install 'it''s'"},
            {"MAX_JOBS=4 pip install .", "$env:MAX_JOBS = '4'\npip install ."},
            {"export PATH=C:/x:$PATH", "$env:PATH = \"C:/x;$env:PATH\""},
            {"unset A", "Remove-Item Env:A"},
            {"echo 'setuptools<81' > c.txt", "Set-Content c.txt 'setuptools<81'"},
            {"echo 'a' >> c.txt", "Add-Content c.txt 'a'"},
            {". .venv/bin/activate", ".venv\\Scripts\\Activate.ps1"},
            {"sudo apt-get install -y gcc", nullptr},
        });
}

TEST(InShellTest, Fish) {
  Check(Shell::kFish, {{"source .venv/bin/activate", "source .venv/bin/activate.fish"},
                       {"unset A", "set -e A"},
                       {"A=1 pip install .", "A=1 pip install ."}});
}

TEST(InShellTest, Notebook) {
  Check(Shell::kNotebook, {{"pip install 'numpy<2'", "%pip install 'numpy<2'"},
                           {"python -m pip install x", "%pip install x"},
                           {"A=1 pip install .", "!A=1 pip install ."},
                           {"export A=1 B=2", "%env A=1\n%env B=2"},
                           {"export PATH=/x:$PATH", "!export PATH=/x:$PATH"},
                           {"cd x", "%cd x"},
                           {"apt-get install -y gcc", "!apt-get install -y gcc"}});
}

TEST(InShellTest, Dockerfile) {
  Check(Shell::kDockerfile, {{"apt-get update && apt-get install -y gcc",
                              "RUN apt-get update && apt-get install -y gcc"},
                             {"A=1 \\\n  pip install .", "RUN A=1 \\\n  pip install ."},
                             {"export A='1;2' B=/x:$PATH", "ENV A='1;2' B=/x:$PATH"},
                             {"export A=$(nproc)", "RUN export A=$(nproc)"},
                             {". /opt/venv/bin/activate", "ENV PATH=/opt/venv/bin:$PATH"},
                             {". \"$HOME/venv/bin/activate\"", "RUN . \"$HOME/venv/bin/activate\""},
                             {"docker build .", "docker build ."},
                             {"dockerize x", "RUN dockerize x"},
                             {"git submodule update --init", "git submodule update --init"},
                             {"sed -i s/a/b/ Dockerfile", "sed -i s/a/b/ Dockerfile"},
                             {"cat > x <<'EOF'\na\nEOF", "cat > x <<'EOF'\na\nEOF"}});
}

}  // namespace
}  // namespace cudadoctor
