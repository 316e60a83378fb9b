#include "redact/log.h"

#include <string>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

// The log, given `piece` bytes at a time.
std::string Redacted(const std::string& log, size_t piece) {
  std::string text;
  LogRedactor redactor([&text](std::string_view bytes) {
    text += bytes;
    return absl::OkStatus();
  });
  for (size_t at = 0; at < log.size(); at += piece) redactor.Learn(log.substr(at, piece));
  redactor.EndLearning();
  for (size_t at = 0; at < log.size(); at += piece)
    EXPECT_TRUE(redactor.Feed(log.substr(at, piece)).ok());
  EXPECT_TRUE(redactor.Finish().ok());
  return text;
}

TEST(LogRedactorTest, OnlySecretsChange) {
  const std::string token = "gh" + std::string("p_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789");
  const std::string key = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW";
  const std::string open = std::string("-----BEGIN OPENSSH ") + "PRIVATE KEY-----";
  const std::string close = std::string("-----END OPENSSH ") + "PRIVATE KEY-----";
  const struct {
    std::string log;
    std::string redacted;
  } rows[] = {
      {"", ""},
      {"\n\n", "\n\n"},
      {"a\r\nb\tc \xff\x1b[31mred\x1b[0m\n", "a\r\nb\tc \xff\x1b[31mred\x1b[0m\n"},
      {"no end", "no end"},
      {"X=" + token, "X=***"},
      {"X=\x1b[1m" + token.substr(0, 9) + "\x1b[0m" + token.substr(9) + "\x1b[0m\n",
       "X=\x1b[1m***\x1b[0m\n"},
      {"50%\r" + token + "\rdone\n", "50%\r***\rdone\n"},
      {"2025-01-01T00:00:00.0000000Z " + open + "\n2025-01-01T00:00:00.0000000Z " + key +
           "\n2025-01-01T00:00:00.0000000Z QyNTUx\n2025-01-01T00:00:00.0000000Z " + close + "\n",
       "2025-01-01T00:00:00.0000000Z " + open +
           "\n2025-01-01T00:00:00.0000000Z ***\n2025-01-01T00:00:00.0000000Z ***\n"
           "2025-01-01T00:00:00.0000000Z " +
           close + "\n"},
      {"  │ Authorization: Bearer\n  │ abcDEF123456\n", "  │ Authorization: Bearer\n  │ ***\n"},
      {"owner alice\nin /home/alice/x\n", "owner user1\nin /home/user1/x\n"},
  };
  for (const auto& row : rows) {
    for (const size_t piece : {size_t{1}, size_t{7}, size_t{100000}})
      EXPECT_EQ(Redacted(row.log, piece), row.redacted);
  }
}

TEST(LogRedactorTest, LongLinesAndManyLines) {
  const std::string long_line(1 << 20, 'x');
  EXPECT_EQ(Redacted(long_line + "\nA_TOKEN=abc1\n", 4096), long_line + "\nA_TOKEN=***\n");
  std::string many, masked;
  for (int i = 0; i < 5000; ++i) {
    many += "line " + std::to_string(i) + " of a log\nA_TOKEN=abc1\n";
    masked += "line " + std::to_string(i) + " of a log\nA_TOKEN=***\n";
  }
  EXPECT_EQ(Redacted(many, 1000), masked);
}

TEST(LogRedactorTest, ErrorsOfTheWriter) {
  LogRedactor redactor([](std::string_view) { return absl::UnknownError("full"); });
  std::string many;
  for (int i = 0; i < 100; ++i) many += "a line\n";
  redactor.EndLearning();
  EXPECT_EQ(redactor.Feed(many).message(), "full");
}

}  // namespace
}  // namespace cudadoctor
