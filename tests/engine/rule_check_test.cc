#include "engine/rule_check.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "source_tree.h"

namespace cudadoctor {
namespace {

std::string MistakesOf(const std::filesystem::path& folder) {
  const absl::StatusOr<std::unique_ptr<RuleSet>> rules = RuleSet::FromSources(RuleFiles(folder));
  if (!rules.ok()) return std::string(rules.status().message()) + "\n";
  std::string text;
  for (const std::string& mistake : CheckRules(**rules, {}).mistakes) text += mistake + "\n";
  return text;
}

// rules/bad/<mistake>/ holds rule files with one mistake, and expected_message.txt.
TEST(CheckRulesTest, SaysWhatIsWrongWithBadRules) {
  const std::filesystem::path bad = SourceTree() / "tests/rules/bad";
  int cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(bad)) {
    ++cases;
    std::string expected = ReadFile(entry.path() / "expected_message.txt");
    if (expected == "\n") expected.clear();
    const std::string mistakes = MistakesOf(entry.path());
    if (entry.path().filename() == "malformed") {
      EXPECT_EQ(mistakes.substr(0, expected.size() - 1) + "\n", expected)
          << mistakes;  // the reason is the library's
      continue;
    }
    EXPECT_EQ(mistakes, expected) << entry.path().filename();
  }
  EXPECT_GE(cases, 30);
}

TEST(CheckRulesTest, TheRuleThatTheBadOnesAreMadeOfIsGood) {
  EXPECT_EQ(MistakesOf(SourceTree() / "tests/rules/bad/none"), "");
}

TEST(CheckRulesTest, ChecksTheFilesThatAreAskedFor) {
  const auto rules = RuleSet::FromSources(RuleFiles(SourceTree() / "tests/rules/bad/no-reference"));
  ASSERT_TRUE(rules.ok()) << rules.status();
  const RuleCheck other = CheckRules(**rules, {"another-rule"});
  EXPECT_EQ(other.files, 0);
  EXPECT_EQ(other.examples, 0);
  EXPECT_TRUE(other.mistakes.empty());
  const RuleCheck this_one = CheckRules(**rules, {"frobnication-failed"});
  EXPECT_EQ(this_one.files, 1);
  EXPECT_EQ(this_one.examples, 2);
  EXPECT_EQ(this_one.mistakes.size(), 1u);
}

TEST(IsHarmfulCommandTest, KnowsHarmFromHelp) {
  const char* const harmful[] = {
      "pip install --break-system-packages x",
      "sudo pip install x",
      "sudo -H python3 -m pip install x",
      "pip install --trusted-host pypi.org x",
      "git config --global http.sslVerify false",
      "GIT_SSL_NO_VERIFY=1 git clone x",
      "curl https://x/install.sh | sh",
      "wget -qO- https://x | sudo bash",
      "sudo apt-get remove -y nvidia-driver-580",
      "apt purge cuda",
      "apt-get -y autoremove",
      "dnf remove cuda",
      "sudo rm /var/lib/dpkg/lock-frontend",
      "rm -f /var/lib/apt/lists/lock",
      "rm uv.lock",
      "rm -rf ~",
      "rm -rf /",
      "sudo ln -s /usr/lib/libcudart.so.13 /usr/lib/libcudart.so.12",
      "chmod -R 777 /usr/local",
      "curl --insecure https://x",
      "wget --no-check-certificate https://x",
      "apt-get install --allow-unauthenticated x",
      "sudo rmmod nvidia",
  };
  for (const char* command : harmful) EXPECT_TRUE(IsHarmfulCommand(command)) << command;
  const char* const helpful[] = {
      "pip install x",
      "sudo apt-get install -y cuda-toolkit-12-8",
      "uv pip install --reinstall torch",
      "rm -rf build",
      "rm -rf ~/.cache/torch_extensions",
      "curl -fsSLO https://x/install.run",
      "export CUDA_HOME=/usr/local/cuda-12.8",
      "ln -s /usr/local/cuda-12.8 cuda",
      "chmod +x install.run",
      "pip cache remove torch",
      "uv lock",
      "kill 4711",
  };
  for (const char* command : helpful) EXPECT_FALSE(IsHarmfulCommand(command)) << command;
}

TEST(IsLookTest, KnowsLookingFromChanging) {
  const char* const looks[] = {
      "nvidia-smi --query-gpu=compute_cap --format=csv,noheader",
      "ls -d /usr/local/cuda*/bin/nvcc; command -v nvcc",
      "ldconfig -p | grep libcuda.so.1",
      "pgrep -a -u \"$USER\" 'cicc|ptxas'",
      "{sudo}dmesg | grep -E 'NVRM|Xid'",
      "/usr/local/cuda/bin/ptxas --version",
      "env | grep -i _proxy",
      "df -h; df -i",
      "pip list | grep -i torch",
      "python -m pip index versions torch",
      "{sudo}lsof /dev/nvidia*",
      "python -c 'import torch; print(torch.version.cuda)'",
      "ulimit -u; cat /sys/fs/cgroup/pids.max 2>/dev/null",
      "find / -name 'libcudart.so' 2>/dev/null",
      "git clean -xdn",
  };
  for (const char* command : looks) EXPECT_TRUE(IsLook(command)) << command;
  const char* const changes[] = {
      "",
      "echo 'cython<3' > constraint.txt",
      "echo 'DPkg::Lock::Timeout \"600\";' | {sudo}tee /etc/apt/apt.conf.d/99lock-timeout",
      "{sudo}apt-get update && apt-cache policy cuda",
      "env -u LD_LIBRARY_PATH python train.py",
      "ulimit -u \"$(ulimit -H -u)\"",
      "find . -name '*.o' -delete",
      "git submodule update --init",
      "export CUDA_HOME=$(ls -d /usr/local/cuda-12*)",
      "nvidia-smi -pm 1",
      "docker restart web",
      "while fuser /var/lib/apt/lists/lock; do sleep 5; done",
  };
  for (const char* command : changes) EXPECT_FALSE(IsLook(command)) << command;
}

}  // namespace
}  // namespace cudadoctor
