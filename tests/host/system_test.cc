#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "host/subjects.h"
#include "recorded_machine.h"

namespace cudadoctor {
namespace {

// The values of `name`, by commas.
std::string Values(const std::vector<Fact>& facts, std::string_view name) {
  std::vector<std::string> values;
  for (const Fact& fact : facts) {
    if (fact.name == name) values.push_back(fact.value);
  }
  return absl::StrJoin(values, ",");
}

TEST(ProbeSystemTest, DistributionsAsRulesCallThem) {
  struct Row {
    const char* release;
    const char* distro;
    const char* version;
  };
  const Row rows[] = {
      {"ID=fedora\nVERSION_ID=41\n", "fedora", "41"},
      {"ID=\"rhel\"\nID_LIKE=\"fedora\"\nVERSION_ID=\"9.4\"\n", "rhel", "9.4"},
      {"ID=\"centos\"\nID_LIKE=\"rhel fedora\"\nVERSION_ID=\"9\"\n", "rhel", "9"},
      {"ID=\"almalinux\"\nVERSION_ID=\"9.4\"\nID_LIKE=\"rhel centos fedora\"\n", "rhel", "9.4"},
      {"ID=\"scientific\"\nID_LIKE=\"rhel centos fedora\"\nVERSION_ID=\"7.9\"\n", "rhel", "7.9"},
      {"ID=\"opensuse-tumbleweed\"\nVERSION_ID=\"20250901\"\n", "suse", "20250901"},
      {"ID='sles'\nVERSION_ID='15.6'\nID_LIKE='suse'\n", "suse", "15.6"},
      {"ID=manjaro\nID_LIKE=arch\nBUILD_ID=rolling\n", "arch", ""},
      {"ID=linuxmint\nID_LIKE=\"ubuntu debian\"\nVERSION_ID=\"21.3\"\nUBUNTU_CODENAME=jammy\n",
       "ubuntu", "22.04"},
      {"ID=pop\nID_LIKE=\"ubuntu debian\"\nVERSION_ID=\"99\"\nUBUNTU_CODENAME=none\n", "ubuntu",
       ""},
      {"ID=kali\nID_LIKE=debian\nVERSION_ID=\"2024.3\"\n", "debian", ""},
      {"ID=amzn\nID_LIKE=fedora\nVERSION_ID=2023\n", "amzn", "2023"},
      {"ID=void\nVERSION_ID=7\n", "void", "7"},
      {"ID=\"$(id)\"\nVERSION_ID=`id`\n", "", ""},
      {"", "", ""},
  };
  for (const Row& row : rows) {
    const RecordedMachine recorded(std::string("@@ file /usr/lib/os-release\n") + row.release);
    const std::vector<Fact> facts = ProbeSystem(Machine(recorded.sources()));
    EXPECT_EQ(Values(facts, "distro"), row.distro) << row.release;
    EXPECT_EQ(Values(facts, "distro_version"), row.version) << row.release;
  }
}

TEST(ProbeSystemTest, PackageManagers) {
  struct Row {
    const char* tree;
    const char* manager;
  };
  const Row rows[] = {
      {"@@ program /usr/bin/microdnf\n@@ file /etc/os-release\nID=rhel\n", "dnf"},
      {"@@ program /usr/bin/yum\n@@ file /etc/os-release\nID=centos\n", "dnf"},
      {"@@ program /usr/bin/apt-get\n@@ program /usr/bin/dnf\n@@ file /etc/os-release\nID=fedora\n",
       "dnf"},
      {"@@ program /usr/bin/apt-get\n@@ file /etc/os-release\nID=void\n", "apt"},
      {"@@ file /usr/bin/apt-get\n", ""},
  };
  for (const Row& row : rows) {
    const RecordedMachine recorded(row.tree);
    EXPECT_EQ(Values(ProbeSystem(Machine(recorded.sources())), "package_manager"), row.manager)
        << row.tree;
  }
}

TEST(ProbeSystemTest, SaysWhoIsRoot) {
  EXPECT_EQ(Values(ProbeSystem(Machine(RecordedMachine("@@ user 0\n").sources())), "root_user"),
            "yes");
  EXPECT_EQ(Values(ProbeSystem(Machine(RecordedMachine("@@ user 7\n").sources())), "root_user"),
            "");
}

TEST(ProbeSystemTest, SaysWhereThereIsNoSudo) {
  EXPECT_EQ(Values(ProbeSystem(Machine(RecordedMachine("@@ user 7\n").sources())), "no_sudo"),
            "yes");
  EXPECT_EQ(Values(ProbeSystem(Machine(RecordedMachine("@@ user 0\n").sources())), "no_sudo"), "");
  const RecordedMachine desk("@@ user 7\n@@ env PATH=/usr/bin\n@@ program /usr/bin/sudo\n");
  EXPECT_EQ(Values(ProbeSystem(Machine(desk.sources())), "no_sudo"), "");
}

TEST(ProbeSystemTest, ShellThatStartedIt) {
  const std::string status = "@@ file /proc/self/status\nName:\tcudadoctor\nPPid:\t31\nUid:\t7\n";
  for (const auto& [name, shell] :
       {std::pair("fish", "fish"), std::pair("pwsh", "powershell"), std::pair("bash", "")}) {
    const RecordedMachine recorded(status + "@@ file /proc/31/comm\n" + name + "\n");
    EXPECT_EQ(Values(ProbeSystem(Machine(recorded.sources())), "shell"), shell) << name;
  }
}

TEST(ProbeSystemTest, PackageListsThatAreMissing) {
  const std::string apt = "@@ program /usr/bin/apt-get\n@@ file /etc/os-release\nID=debian\n";
  const RecordedMachine image(apt + "@@ file /var/lib/apt/lists/lock\n");
  EXPECT_EQ(Values(ProbeSystem(Machine(image.sources())), "apt_lists_missing"), "yes");
  const RecordedMachine desk(apt +
                             "@@ file /var/lib/apt/lists/deb_main_binary-amd64_Packages\nx\n");
  EXPECT_EQ(Values(ProbeSystem(Machine(desk.sources())), "apt_lists_missing"), "");
}

TEST(ProbeSystemTest, RootCertificatesOfTheNetwork) {
  const std::string folder = "@@ file /usr/local/share/ca-certificates/";
  const RecordedMachine office(folder + "office.crt\nx\n");
  EXPECT_EQ(Values(ProbeSystem(Machine(office.sources())), "own_root_certificate"), "yes");
  const RecordedMachine other(folder + "README\nx\n");
  EXPECT_EQ(Values(ProbeSystem(Machine(other.sources())), "own_root_certificate"), "");
}

TEST(ProbeSystemTest, Containers) {
  struct Row {
    const char* tree;
    const char* container;
  };
  const Row rows[] = {
      {"@@ file /run/.containerenv\n", "podman"},
      {"@@ file /proc/1/cgroup\n0::/system.slice/docker-1f2e.scope\n", "docker"},
      {"@@ file /proc/1/cgroup\n4:memory:/kubepods/pod1/2\n", "kubernetes"},
      {"@@ file /proc/1/cgroup\n4:memory:/lxc/one\n", "lxc"},
      {"@@ file /proc/1/cgroup\n0::/init.scope\n", ""},
      {"@@ env APPTAINER_CONTAINER=/images/a.sif\n@@ file /.dockerenv\n", "apptainer"},
      {"", ""},
  };
  for (const Row& row : rows) {
    const RecordedMachine recorded(row.tree);
    const std::vector<Fact> facts = ProbeSystem(Machine(recorded.sources()));
    EXPECT_EQ(Values(facts, "container"), row.container) << row.tree;
    EXPECT_EQ(Values(facts, "docker"), "") << "a container that one works in is no docker build";
  }
}

TEST(ProbeSystemTest, LoginNodesAndBoards) {
  const RecordedMachine cluster("@@ env PATH=/opt/slurm/bin\n@@ program /opt/slurm/bin/sbatch\n");
  EXPECT_THAT(Listed(ProbeSystem(Machine(cluster.sources()))),
              testing::Contains("slurm yes | /opt/slurm/bin/sbatch"));
  const RecordedMachine board(
      "@@ file /proc/device-tree/model\nNVIDIA Jetson AGX Orin Developer Kit\n");
  EXPECT_THAT(Listed(ProbeSystem(Machine(board.sources()))),
              testing::Contains("jetson yes | /proc/device-tree/model"));
}

}  // namespace
}  // namespace cudadoctor
