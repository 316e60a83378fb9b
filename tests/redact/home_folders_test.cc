#include "redact/home_folders.h"

#include <string>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

std::string Hide(const std::string& text) {
  std::string hidden;
  size_t done = 0;
  for (const HomeFolder& home : FindHomeFolders(text)) {
    hidden += text.substr(done, home.begin - done);
    hidden += home.is_whole ? "~" : home.is_of_windows ? "<windows>" : "<name>";
    done = home.end;
  }
  return hidden + text.substr(done);
}

TEST(FindHomeFoldersTest, Spellings) {
  const struct {
    const char* text;
    const char* hidden;
  } rows[] = {
      {"/home/alice", "~"},
      {"/home/alice/x y", "~/x y"},
      {"in /home/alice.", "in ~."},
      {"HOME=/home/alice:/home/bob/bin", "HOME=~:~/bin"},
      {"gcc -I/home/alice/inc -L/home/alice/lib", "gcc -I~/inc -L~/lib"},
      {"'/home/a.lice-1/x' \"/homes/bob/y\"", "'~/x' \"~/y\""},
      {"pkg @ file:///home/alice/pkg", "pkg @ file://~/pkg"},
      {"host:/home/alice/x", "host:~/x"},
      {"ssh://host/home/alice/r.git", "ssh://host/home/<name>/r.git"},
      {"/Users/alice/Library", "~/Library"},
      {"/home/alice@corp.example/x", "~/x"},
      {"C:\\Users\\alice\\x", "~\\x"},
      {"c:\\users\\ALICE~1\\AppData", "~\\AppData"},
      {"'C:\\\\Users\\\\alice\\\\x'", "'~\\\\x'"},
      {"C:/Users/alice/x /IC:/Users/alice/inc", "~/x /I~/inc"},
      {"C:\\Users\\Alice B Smith\\x", "~\\x"},
      {"C:\\Users\\alice is full", "~ is full"},
      {"\\\\?\\C:\\Users\\alice\\x", "~\\x"},
      {"file:///C:/Users/alice/x", "file:///~/x"},
      {"'/C:/Users/alice/x'", "'/~/x'"},
      {"/c/Users/alice/x", "~/x"},
      {"/global/homes/a/alice/x", "/global/homes/a/<name>/x"},
      {"/home/a/alice/x", "~/x"},
      {"/scratch/alice/x /work/alice/x", "/scratch/<name>/x /work/<name>/x"},
      {"/gpfs/users/alice/x /home2/alice /run/media/alice/usb",
       "/gpfs/users/<name>/x /home2/<name> /run/media/<name>/usb"},
      {"C:\\Documents and Settings\\alice\\x C:\\DOCUME~1\\ALICE~1\\x", "~\\x ~\\x"},
      {"/mnt/c/Users/alice/x", "/mnt/c/Users/<windows>/x"},
      {"/cygdrive/d/Users/alice/x", "/cygdrive/d/Users/<windows>/x"},
      {"/gpfs/home/alice/x", "/gpfs/home/<name>/x"},
      {"/net/host1/home/alice", "/net/host1/home/<name>"},
      {"/data/home/alice/x", "/data/home/<name>/x"},
      {"/System/Volumes/Data/Users/alice/x", "/System/Volumes/Data/Users/<name>/x"},
      {"build/temp.linux-x86_64-cpython-310/home/alice/x.o",
       "build/temp.linux-x86_64-cpython-310/home/<name>/x.o"},
      {"CMakeFiles/ext.dir/home/alice/x.o", "CMakeFiles/ext.dir/home/<name>/x.o"},
  };
  for (const auto& row : rows) EXPECT_EQ(Hide(row.text), row.hidden) << row.text;
}

TEST(FindHomeFoldersTest, NoPerson) {
  const std::string texts[] = {
      "/home/runner/work/x",
      "/home/ubuntu/x /home/jovyan/x /home/ec2-user /home/vsts/work /home/circleci/p",
      "/home/conda/feedstock_root /home/linuxbrew/.linuxbrew",
      "C:\\Users\\runneradmin\\x C:\\Users\\ContainerAdministrator\\x C:\\Users\\Public\\x",
      "/Users/Shared/x /Users/runner/x",
      "/root/x /home /home/ /Users/",
      "/home/$USER/x /home/${USER}/x /home/<you>/x /home/*/x C:\\Users\\%USERNAME%\\x",
      "can't open file '/home/run.py'",
      "https://h.example.org/home/docs/x http://h:80/Users/list",
      "src/home/views/x ./home/views/x /usr/share/home/x /app/home/views /opt/home/x",
      "/a/b/c/home/x",
      "$ORIGIN/../home/x ~/home/x ${X}/home/x",
      "/work/src/x /data/models/x /scratch/venv /work/run.py /home/runner/work/repo/repo/x",
      "https://h.example.org/data/alice/x /opt/data/alice/x",
      "homework /homeless/x /home-old/x /myhome/x",
  };
  for (const std::string& text : texts) EXPECT_EQ(Hide(text), text);
}

}  // namespace
}  // namespace cudadoctor
