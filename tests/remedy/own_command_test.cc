#include "remedy/own_command.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

constexpr std::string_view kPackages =
    R"({"packages": [{"name": "apex", "pypi": "none"}, {"name": "flash-attn"}]})";

class OwnCommandTest : public ::testing::Test {
 protected:
  OwnCommandTest()
      : knowledge_([](std::string_view name) { return name == "packages" ? kPackages : ""; }) {}

  using Stated = std::vector<std::pair<std::string, std::string>>;

  std::string Command(const Stated& facts) const {
    const FactStore store = Store(facts);
    const std::optional<CommandLine> command =
        OwnCommand(Resolver(store, derived_, knowledge_).At(1, 100, {}));
    return command.has_value() ? WriteCommandLine(*command) : "nothing";
  }
  std::string Spec(const Stated& facts) const {
    const FactStore store = Store(facts);
    return PackageSpec(Resolver(store, derived_, knowledge_).At(1, 100, {})).value_or("nothing");
  }

  static FactStore Store(const Stated& facts) {
    FactStore store;
    int line = 0;
    for (const auto& [name, value] : facts) {
      const ValueType type = name == "command" ? ValueType::kCommand : ValueType::kText;
      store.Add({name, type, value, Origin::kLog, ++line, 1});
    }
    return store;
  }

  Knowledge knowledge_;
  std::vector<DerivedFact> derived_;
};

TEST_F(OwnCommandTest, IsRepeatedOrNotPrinted) {
  const struct {
    const char* name;
    Stated facts;
    const char* command;
  } rows[] = {
      {"shown",
       {{"command", "pip install -e '.[dev]' --no-deps"}, {"package", "kern"}},
       "pip install -e '.[dev]' --no-deps"},
      {"this folder", {{"command", "pip install ."}, {"package", "kern"}}, "pip install ."},
      {"what cannot be repeated whole",
       {{"command", "pip install x; rm y"},
        {"package", "x"},
        {"tool", "pip"},
        {"index_package", "x"}},
       "nothing"},
      {"only the package's name", {{"tool", "pip"}, {"package", "kern"}}, "nothing"},
      {"a path",
       {{"tool", "pip"}, {"package", "kern"}, {"processed_path", "/src/kern"}},
       "pip install /src/kern"},
      {"an editable path",
       {{"tool", "pip"},
        {"package", "kern"},
        {"processed_path", "/src/my kern"},
        {"processed_editable", "yes"}},
       "pip install -e '/src/my kern'"},
      {"a URL",
       {{"tool", "uv"},
        {"package", "kern"},
        {"processed_url", "git+https://h.example.org/kern.git"}},
       "uv pip install git+https://h.example.org/kern.git"},
      {"a URL whose token is masked",
       {{"tool", "pip"},
        {"package", "kern"},
        {"processed_url", "git+https://***@h.example.org/kern.git"}},
       "pip install 'git+https://***@h.example.org/kern.git'"},
      {"two places",
       {{"tool", "pip"}, {"package", "kern"}, {"processed_path", "/a"}, {"processed_path", "/b"}},
       "nothing"},
      {"asked of an index",
       {{"tool", "pip"},
        {"package", "flash_attn"},
        {"index_package", "flash-attn"},
        {"package_version", "2.8.3"},
        {"no_build_isolation", "yes"}},
       "pip install flash_attn==2.8.3 --no-build-isolation"},
      {"a dependency of a path",
       {{"tool", "pip"},
        {"package", "flash-attn"},
        {"processed_path", "/src/kern"},
        {"index_package", "flash-attn"}},
       "pip install flash-attn"},
      {"another project's name there",
       {{"tool", "pip"}, {"package", "apex"}, {"index_package", "apex"}},
       "nothing"},
      {"another tool",
       {{"tool", "conda"}, {"package", "flash-attn"}, {"index_package", "flash-attn"}},
       "nothing"},
  };
  for (const auto& row : rows) EXPECT_EQ(Command(row.facts), row.command) << row.name;
}

TEST_F(OwnCommandTest, SpecOfTheUsersWords) {
  const struct {
    const char* name;
    Stated facts;
    const char* spec;
  } rows[] = {
      {"a name",
       {{"command", "pip install flash-attn"},
        {"package", "flash_attn"},
        {"package_version", "2.8.3"}},
       "flash-attn==2.8.3"},
      {"a lower bound",
       {{"command", "pip install 'flash-attn>=2.5'"},
        {"package", "flash-attn"},
        {"package_version", "2.8.3"}},
       "'flash-attn>=2.5'"},
      {"extras",
       {{"command", "pip install 'flash-attn[x]'"},
        {"package", "flash-attn"},
        {"package_version", "2.8.3"}},
       "'flash-attn[x]'"},
      {"this folder", {{"command", "pip install -v ."}, {"package", "kern"}}, "."},
      {"an editable folder",
       {{"command", "uv pip install -e ./kern --no-build-isolation"}, {"package", "kern"}},
       "-e ./kern"},
      {"a repository",
       {{"command", "pip install git+https://h.example.org/kern.git"}, {"package", "kern"}},
       "git+https://h.example.org/kern.git"},
      {"a dependency of it",
       {{"command", "pip install ."}, {"package", "flash-attn"}, {"index_package", "flash-attn"}},
       "flash-attn"},
      {"requirements",
       {{"command", "pip install -r requirements.txt"}, {"package", "kern"}},
       "nothing"},
      {"a requirement of a file",
       {{"command", "pip install -r requirements.txt"},
        {"package", "flash-attn"},
        {"index_package", "flash-attn"}},
       "flash-attn"},
      {"two places", {{"command", "pip install ./a ./b"}, {"package", "kern"}}, "nothing"},
      {"no package", {{"command", "pip install ."}}, "nothing"},
  };
  for (const auto& row : rows) EXPECT_EQ(Spec(row.facts), row.spec) << row.name;
}

TEST_F(OwnCommandTest, AnIndexIsKept) {
  const struct {
    const char* name;
    Stated facts;
    const char* run;
    const char* kept;
  } rows[] = {
      {"none", {}, "pip install ninja", "pip install ninja"},
      {"of the command",
       {{"command", "pip install -i https://index.example.org/simple x"}},
       "pip install ninja",
       "pip install ninja -i https://index.example.org/simple"},
      {"with '='",
       {{"command", "uv pip install --index-url=https://index.example.org/simple x"}},
       "uv pip install ninja && x",
       "uv pip install ninja --index-url=https://index.example.org/simple && x"},
      {"of a variable",
       {{"command", "PIP_INDEX_URL=https://index.example.org/simple pip install x"}},
       "pip install ninja",
       "PIP_INDEX_URL=https://index.example.org/simple pip install ninja"},
      {"its credentials",
       {{"command", "pip install -i https://***@index.example.org/simple x"}},
       "pip install ninja",
       "pip install ninja -i 'https://***@index.example.org/simple'"},
      {"PyTorch's",
       {{"command", "pip install torch --index-url https://download.pytorch.org/whl/cu121"}},
       "pip install ninja",
       "pip install ninja"},
      {"one that pip names",
       {{"main_index", "https://index.example.org/simple"}},
       "pip install ninja",
       "pip install ninja --index-url https://index.example.org/simple"},
      {"one that pip is configured with",
       {{"main_index", "https://user:****@index.example.org/simple"}},
       "pip install ninja",
       "pip install ninja"},
      {"another is asked",
       {{"command", "pip install -i https://index.example.org/simple x"}},
       "pip install torch --index-url https://download.pytorch.org/whl/cu128",
       "pip install torch --index-url https://download.pytorch.org/whl/cu128"},
      {"no installation",
       {{"command", "pip install -i https://index.example.org/simple x"}},
       "sudo apt-get install -y g++",
       "sudo apt-get install -y g++"},
  };
  for (const auto& row : rows) {
    const FactStore store = Store(row.facts);
    EXPECT_EQ(WithIndex(row.run, Resolver(store, derived_, knowledge_).At(1, 100, {})), row.kept)
        << row.name;
  }
}

TEST(SetWordTest, TakesThePlaceOfOneThatSaysTheSame) {
  struct Row {
    const char* command;
    const char* word;
    const char* result;
  };
  const Row rows[] = {
      {"pip install .", "--no-build-isolation", "pip install . --no-build-isolation"},
      {"pip install --no-cache-dir .", "--no-cache-dir", "pip install --no-cache-dir ."},
      {"pip install ninja==1.14.9 humanize", "ninja==1.13.2", "pip install ninja==1.13.2 humanize"},
      {"pip install a 'Jupyter_Client<7' b", "jupyter-client", "pip install a jupyter-client b"},
      {"pip install a", "b==2", "pip install a b==2"},
      {"cmake -S . -B build -DCMAKE_CUDA_ARCHITECTURES=60", "-DCMAKE_CUDA_ARCHITECTURES=80",
       "cmake -S . -B build -DCMAKE_CUDA_ARCHITECTURES=80"},
      {"make CXXSTD=c++11 all", "CXXSTD=c++17", "make CXXSTD=c++17 all"},
  };
  for (const Row& row : rows) {
    std::optional<CommandLine> command = ParseCommandLine(row.command);
    ASSERT_TRUE(command.has_value()) << row.command;
    SetWord(row.word, *command);
    EXPECT_EQ(WriteCommandLine(*command), row.result);
  }
}

TEST(TargetsOfTest, WithoutOptionsAndTheirValues) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(TargetsOf({"pip", "install", "-v", "-i", "https://h/", "a==1", "-e", ".", "-r", "b.txt",
                       "./c"}),
            (Words{"a==1", "-e .", "./c"}));
  EXPECT_EQ(TargetsOf({"uv", "add", "a", "--index", "x=https://h/"}), (Words{"a"}));
  EXPECT_EQ(TargetsOf({"make", "-j4"}), Words{});
  EXPECT_EQ(TargetsOf({"pip", "install", "-e"}), Words{});
}

TEST(SetJobsTest, ChangesOrAdds) {
  const char* const rows[][2] = {
      {"make -j8 all", "make -j2 all"},
      {"make all -j", "make all -j2"},
      {"make -j 8", "make -j 2"},
      {"make --jobs=8", "make --jobs=2"},
      {"ninja -C out", "ninja -C out -j2"},
      {"/usr/bin/cmake --build b --parallel 26 --", "/usr/bin/cmake --build b --parallel 2 --"},
      {"cmake --build b --parallel", "cmake --build b --parallel=2"},
      {"cmake --build b -j12", "cmake --build b -j2"},
      {"cmake --build b -- -v", "cmake --build b --parallel=2 -- -v"},
      {"cmake -B b", "(another)"},
      {"pip install -j8 .", "(another)"},
  };
  for (const auto& [text, changed] : rows) {
    std::optional<CommandLine> command = ParseCommandLine(text);
    ASSERT_TRUE(command.has_value()) << text;
    EXPECT_EQ(SetJobs("2", *command) ? WriteCommandLine(*command) : "(another)", changed) << text;
  }
}

}  // namespace
}  // namespace cudadoctor
