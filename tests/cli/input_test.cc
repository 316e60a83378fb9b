#include "cli/input.h"

#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

// A folder of its own for each test.
class InputTest : public ::testing::Test {
 protected:
  InputTest() {
    std::string name =
        (std::filesystem::temp_directory_path() / "cudadoctor-input-XXXXXX").string();
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  ~InputTest() override { std::filesystem::remove_all(folder_); }

  std::string Write(const std::string& name, const std::string& content) {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return (folder_ / name).string();
  }

  std::filesystem::path folder_;
};

TEST_F(InputTest, ReadsFiles) {
  struct Row {
    const char* name;
    std::string content;
    absl::StatusCode code;
  };
  const Row rows[] = {
      {"text", "one\ntwo\n", absl::StatusCode::kOk},
      {"empty", "", absl::StatusCode::kOk},
      {"one byte", "x", absl::StatusCode::kOk},
      {"not UTF-8", "caf\xE9\n", absl::StatusCode::kOk},
      {"escape sequences", "\x1b[31mred\n", absl::StatusCode::kOk},
      {"UTF-16",
       std::string("\xFF\xFE"
                   "a\0\n\0",
                   6),
       absl::StatusCode::kOk},
      {"several blocks", std::string(3'000'000, 'x'), absl::StatusCode::kOk},
      {"a NUL", std::string("a\0b", 3), absl::StatusCode::kInvalidArgument},
  };
  for (const Row& row : rows) {
    const std::string path = Write("log", row.content);
    std::string taken;
    const absl::Status status = ReadLogFile(path, [&](std::string_view bytes) {
      taken.append(bytes);
      return absl::OkStatus();
    });
    EXPECT_EQ(status.code(), row.code) << row.name << ": " << status;
    if (status.ok()) {
      EXPECT_TRUE(taken == row.content) << row.name;
    }
  }
}

TEST_F(InputTest, SaysWhatCannotBeRead) {
  const auto take = [](std::string_view) { return absl::OkStatus(); };
  const std::string missing = (folder_ / "missing").string();
  EXPECT_EQ(
      ReadLogFile(missing, take),
      absl::NotFoundError(missing + ": No such file or directory; name an existing log file"));
  EXPECT_EQ(ReadLogFile(folder_.string(), take),
            absl::InvalidArgumentError(folder_.string() + ": is a folder; name a log file in it"));
  EXPECT_EQ(ReadSmallFile(missing).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ReadSmallFile(folder_.string()).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(InputTest, StopsWhenTheTakerFails) {
  const std::string path = Write("log", std::string(3'000'000, 'x'));
  int calls = 0;
  const absl::Status status = ReadLogFile(path, [&](std::string_view) {
    ++calls;
    return absl::ResourceExhaustedError("enough");
  });
  EXPECT_EQ(status, absl::ResourceExhaustedError("enough"));
  EXPECT_EQ(calls, 1);
}

TEST_F(InputTest, SmallFilesAreReadWhole) {
  const std::string content("a\0b\n", 4);
  const absl::StatusOr<std::string> read = ReadSmallFile(Write("small", content));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, content);
}

TEST_F(InputTest, SmallFilesAreRegularAndSmall) {
  const std::string pipe = (folder_ / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(ReadSmallFile(pipe).status(),
            absl::InvalidArgumentError(pipe + ": is no regular file; name one"));
  EXPECT_EQ(ReadSmallFile("/dev/zero").status(),
            absl::InvalidArgumentError("/dev/zero: is no regular file; name one"));
  const std::string large = Write("large", "");
  std::filesystem::resize_file(large, 17 << 20);
  EXPECT_EQ(ReadSmallFile(large).status(),
            absl::InvalidArgumentError(large + ": has 17 MiB; at most 16 MiB are read"));
}

TEST_F(InputTest, GivesWhatArrivesUntilTheEnd) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::string text(500'000, 'y');
  std::thread writer([&] {
    EXPECT_TRUE(WriteDescriptor(ends[1], text).ok());
    close(ends[1]);
  });
  std::string taken;
  EXPECT_TRUE(ReadDescriptor(ends[0], [&](std::string_view bytes) {
                taken.append(bytes);
                return absl::OkStatus();
              }).ok());
  writer.join();
  close(ends[0]);
  EXPECT_TRUE(taken == text);
}

TEST_F(InputTest, DescriptorsThatAreClosed) {
  const absl::Status read = ReadDescriptor(-1, [](std::string_view) { return absl::OkStatus(); });
  EXPECT_EQ(
      read,
      absl::UnavailableError(
          "standard input cannot be read: Bad file descriptor; name a log file, or pipe one"));
  EXPECT_EQ(WriteDescriptor(-1, "x"), absl::UnknownError("standard output: Bad file descriptor"));
  EXPECT_TRUE(WriteDescriptor(-1, "").ok()) << "nothing to write";
  signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  EXPECT_EQ(WriteDescriptor(ends[1], "x").code(), absl::StatusCode::kUnavailable);
  close(ends[1]);
}

TEST_F(InputTest, WriteFileReplaces) {
  const std::string path = Write("report", "a long old content");
  EXPECT_TRUE(WriteFile(path, "new").ok());
  EXPECT_EQ(*ReadSmallFile(path), "new");
  const std::string nowhere = (folder_ / "no/such/report").string();
  const absl::Status status = WriteFile(nowhere, "x");
  EXPECT_EQ(status.code(), absl::StatusCode::kUnknown);
  EXPECT_EQ(std::string(status.message()).substr(0, nowhere.size() + 2), nowhere + ": ") << status;
  EXPECT_NE(std::string(status.message()).find("No such file"), std::string::npos) << status;
}

TEST_F(InputTest, WriteFileKeepsLinksModesAndWhatIsNoFile) {
  const std::string path = Write("report", "old");
  std::filesystem::permissions(path, std::filesystem::perms::owner_read |
                                         std::filesystem::perms::owner_write |
                                         std::filesystem::perms::group_write);
  const std::string link = (folder_ / "link").string();
  std::filesystem::create_symlink(path, link);
  ASSERT_TRUE(WriteFile(link, "new").ok());
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(*ReadSmallFile(path), "new");
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms::owner_read |
                                                             std::filesystem::perms::owner_write |
                                                             std::filesystem::perms::group_write);
  EXPECT_TRUE(WriteFile("/dev/null", "x").ok());
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_FALSE(WriteFile("/dev/full", "x").ok());
  size_t entries = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_)) ++entries;
  EXPECT_EQ(entries, 2u) << "nothing is left beside it";
}

TEST_F(InputTest, AppendToFileStartsALine) {
  const struct {
    const char* name;
    const char* before;
    const char* added;
    const char* expected;
  } rows[] = {
      {"empty", "", "new 0\n", "new 0\n"},
      {"whole lines", "a\n", "new 2\n", "a\nnew 2\n"},
      {"half a line", "ab", "new 2\n", "ab\nnew 2\n"},
      {"nothing", "ab", "", "ab"},
  };
  for (const auto& row : rows) {
    const std::string path = Write("file", row.before);
    size_t size = 99;
    EXPECT_TRUE(AppendToFile(path, [&](size_t there) {
                  size = there;
                  return row.added;
                }).ok());
    EXPECT_EQ(*ReadSmallFile(path), row.expected) << row.name;
    EXPECT_EQ(size, std::string_view(row.before).size()) << row.name;
  }
}

TEST_F(InputTest, AppendToFileCreatesOrSaysWhyNot) {
  const auto x = [](size_t) { return "x\n"; };
  const std::string path = (folder_ / "new").string();
  EXPECT_TRUE(AppendToFile(path, x).ok());
  EXPECT_EQ(*ReadSmallFile(path), "x\n");
  const std::string nowhere = (folder_ / "no/such/file").string();
  const absl::Status status = AppendToFile(nowhere, x);
  EXPECT_EQ(status.message(), nowhere + ": cannot be written: No such file or directory");
  EXPECT_TRUE(absl::IsUnknown(AppendToFile(folder_.string(), x)));
}

}  // namespace
}  // namespace cudadoctor
