#include "run/quiet_line.h"

#include <string>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

constexpr int kWidth = 20;

// A line whose clock is moved by hand.
struct Fixture {
  std::string written;
  QuietLine::Time now{};
  QuietLine line{[this](std::string_view bytes) { written.append(bytes); }, now};
  void Output(std::string_view bytes) {
    line.BeforeOutput(bytes, kWidth, now);
    written.append(bytes);
  }
  bool IsDueAfter(std::chrono::milliseconds time) {
    now += time;
    return line.IsDue(now);
  }
};

TEST(QuietLineTest, DueAfterSilenceOnly) {
  Fixture it;
  it.Output("one\n");
  EXPECT_FALSE(it.IsDueAfter(std::chrono::milliseconds(4900)));
  EXPECT_TRUE(it.IsDueAfter(std::chrono::milliseconds(100)));
  it.Output("two\n");
  EXPECT_FALSE(it.IsDueAfter(std::chrono::milliseconds(4900)));
  // A spinner is no news.
  it.Output("-");
  it.Output("\b|");
  EXPECT_FALSE(it.IsDueAfter(std::chrono::milliseconds(10)));
  EXPECT_TRUE(it.IsDueAfter(std::chrono::milliseconds(100)));
  it.Output("\x1b[");
  EXPECT_FALSE(it.IsDueAfter(std::chrono::milliseconds(9000)));
}

TEST(QuietLineTest, OnAnEmptyLine) {
  Fixture it;
  it.Output("one\n");
  it.line.Draw("status");
  it.line.Draw("status");  // the same is not drawn again
  it.line.Draw("status 2");
  it.Output("two\n");
  it.line.Erase();
  EXPECT_EQ(it.written, "one\nstatus\x1b[K\rstatus 2\x1b[K\r\x1b[Ktwo\n");
}

TEST(QuietLineTest, BelowALine) {
  Fixture it;
  it.Output("Building ... -");
  it.line.Draw("status");
  it.Output("\b|");
  it.line.Draw("status 2");
  it.Output("\bdone\n");
  EXPECT_EQ(it.written,
            "Building ... -"
            "\x1b"
            "D\x1b"
            "7\rstatus\x1b[K\x1b"
            "8\x1b[A"
            "\b|"
            "\x1b[B\x1b"
            "7\rstatus 2\x1b[K\x1b"
            "8\x1b[A"
            "\x1b[B\x1b[2K\x1b[A"
            "\bdone\n");
}

TEST(QuietLineTest, BelowAFullRowItsLastBlankIsPrintedAgain) {
  Fixture it;
  it.Output("1234567890123456789 ");
  it.line.Draw("status");
  it.line.Erase();
  EXPECT_EQ(it.written,
            "1234567890123456789 "
            "\x1b"
            "D\x1b"
            "7\rstatus\x1b[K\x1b"
            "8\x1b[A "
            "\x1b[B\x1b[2K\x1b[A ");
}

TEST(QuietLineTest, AnEmptyTextErases) {
  Fixture it;
  it.Output("one\n");
  it.line.Draw("");
  it.line.Draw("status");
  it.line.Draw("");
  EXPECT_EQ(it.written, "one\nstatus\x1b[K\r\x1b[K");
}

}  // namespace
}  // namespace cudadoctor
