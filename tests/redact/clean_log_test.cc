#include "redact/clean_log.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

std::vector<std::string> Lines(const std::string& log) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < log.size(); begin = log.find('\n', begin) + 1)
    lines.push_back(CleanWithoutCredentials(log, begin).text);
  return lines;
}

TEST(CleanWithoutCredentialsTest, NeighboursTell) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(Lines("a\nHF_TOKEN=abc1 b\n"), (Texts{"a", "HF_TOKEN=*** b"}));
  EXPECT_EQ(Lines("  │ Bearer\n  │ abcDEF123456 x\n"), (Texts{"Bearer", "*** x"}));
  const std::string begin = std::string("-----BEGIN OPENSSH ") + "PRIVATE KEY-----";
  const std::string body = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW";
  EXPECT_EQ(Lines(begin + "\n" + body + "\ntail==\nafter it\n"),
            (Texts{begin, "***", "***", "after it"}));
  const std::string token = "gh" + std::string("p_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789");
  const std::string wrapped = "using the token " + std::string(40, '.') + " " + token;
  for (size_t at = wrapped.size() - token.size() + 1; at < wrapped.size(); ++at) {
    for (const std::string& line :
         Lines(wrapped.substr(0, at) + "\n" + wrapped.substr(at) + " x\n")) {
      for (size_t i = 0; i + 8 <= token.size(); ++i)
        EXPECT_EQ(line.find(token.substr(i, 8)), std::string::npos) << at << ": " << line;
    }
  }
}

TEST(CleanWithoutCredentialsTest, NoCutDividesACredential) {
  const std::string token = "gh" + std::string("p_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789");
  for (size_t before = kMaxLineBytes - 45; before < kMaxLineBytes + 2; ++before) {
    const std::string filler = std::string(before - 1, 'x') + " ";
    const CleanLine line = CleanWithoutCredentials(filler + token + " and more\n", 0);
    EXPECT_EQ(line.text.find("AbCdEfGh"), std::string::npos) << before;
    EXPECT_LE(line.text.size(), kMaxLineBytes);
  }
  EXPECT_TRUE(CleanWithoutCredentials(std::string(2 * kMaxLineBytes, 'x') + "\n", 0).is_cut);
}

}  // namespace
}  // namespace cudadoctor
