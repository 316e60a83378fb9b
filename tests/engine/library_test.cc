// The library as another program uses it: without the command line.
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/session.h"
#include "gtest/gtest.h"
#include "report/render.h"
#include "rules/rule_set.h"
#include "source_tree.h"

namespace cudadoctor {
namespace {

const RuleSet& Rules() {
  static const RuleSet* const rules = RuleSet::Create().value().release();
  return *rules;
}

// The JSON report of a log that is fed in pieces of the sizes that `next` gives.
template <typename Next>
std::string Diagnose(const RuleSet& rules, std::string_view log, Next next) {
  auto session = Session::Create(rules, {});
  EXPECT_TRUE(session.ok()) << session.status();
  while (!log.empty()) {
    const size_t size = std::min<size_t>(next(), log.size());
    const absl::Status status = (*session)->Feed(log.substr(0, size));
    EXPECT_TRUE(status.ok()) << status;
    log.remove_prefix(size);
  }
  const absl::StatusOr<Report> report = (*session)->Finish(std::nullopt);
  EXPECT_TRUE(report.ok()) << report.status();
  return report.ok() ? Render("json", *report) : "";
}

std::string Diagnose(const RuleSet& rules, std::string_view log) {
  return Diagnose(rules, log, [&] { return log.size(); });
}

// The logs of the story, by name.
const std::vector<std::pair<std::string, std::string>>& Story() {
  static const auto* const logs = [] {
    auto* const list = new std::vector<std::pair<std::string, std::string>>;
    for (const auto& entry : std::filesystem::directory_iterator(SourceTree() / "corpus/story")) {
      list->emplace_back(entry.path().filename().string(), ReadFile(entry.path() / "log.txt"));
    }
    std::sort(list->begin(), list->end());
    return list;
  }();
  return *logs;
}

TEST(LibraryTest, TheStoryIsThere) {
  ASSERT_GE(Story().size(), 10u);
  for (const auto& [name, log] : Story()) EXPECT_GT(log.size(), 100u) << name;
}

TEST(LibraryTest, PiecesGiveTheSameAsTheWhole) {
  std::mt19937 random(3);
  for (const auto& [name, log] : Story()) {
    const std::string whole = Diagnose(Rules(), log);
    EXPECT_EQ(Diagnose(Rules(), log, [] { return 1; }), whole) << name << ", byte by byte";
    for (const int largest : {7, 300, 5000}) {
      EXPECT_EQ(Diagnose(Rules(), log, [&] { return 1 + random() % largest; }), whole)
          << name << ", pieces of up to " << largest;
    }
  }
}

TEST(LibraryTest, PiecesOfUtf16GiveTheSame) {
  const auto& [name, log] = Story().front();
  std::string wide = "\xFF\xFE";
  for (const char c : log) {
    if (static_cast<unsigned char>(c) >= 0x80) continue;
    wide.push_back(c);
    wide.push_back('\0');
  }
  const std::string whole = Diagnose(Rules(), wide);
  EXPECT_NE(whole.find("cuda-version-mismatch"), std::string::npos) << name;
  EXPECT_EQ(Diagnose(Rules(), wide, [] { return 1; }), whole);
  EXPECT_EQ(Diagnose(Rules(), wide, [] { return 4097; }), whole);
}

TEST(LibraryTest, EmptyPiecesChangeNothing) {
  auto session = Session::Create(Rules(), {});
  for (const char* piece : {"", "x", "", "\n", ""}) EXPECT_TRUE((*session)->Feed(piece).ok());
  const absl::StatusOr<Report> report = (*session)->Finish(std::nullopt);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->input.lines, 1);
}

TEST(LibraryTest, ThreadsHaveASessionEachOnOneRuleSet) {
  std::vector<std::string> alone;
  for (const auto& [name, log] : Story()) alone.push_back(Diagnose(Rules(), log));
  const auto fresh = RuleSet::Create();
  ASSERT_TRUE(fresh.ok());
  std::vector<std::vector<std::string>> together(3);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < together.size(); ++t) {
    threads.emplace_back([&, t] {
      for (const auto& [name, log] : Story()) together[t].push_back(Diagnose(**fresh, log));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<std::string>& reports : together) EXPECT_EQ(reports, alone);
}

TEST(LibraryTest, RulesHaveNoOrder) {
  std::vector<SourceFile> files = RuleFiles(SourceTree() / "rules");
  ASSERT_GT(files.size(), 100u);
  std::vector<std::string> first;
  std::mt19937 random(5);
  for (int round = 0; round < 3; ++round) {
    if (round == 1) std::reverse(files.begin(), files.end());
    if (round == 2) std::shuffle(files.begin(), files.end(), random);
    const auto rules = RuleSet::FromSources(files);
    ASSERT_TRUE(rules.ok()) << rules.status();
    std::vector<std::string> reports;
    for (const auto& [name, log] : Story()) reports.push_back(Diagnose(**rules, log));
    if (round == 0) first = reports;
    ASSERT_EQ(reports.size(), first.size());
    for (size_t i = 0; i < reports.size(); ++i)
      EXPECT_EQ(reports[i], first[i]) << Story()[i].first << ", order " << round;
  }
}

std::string Wrapped(int lines_before) {
  std::string log;
  for (int i = 0; i < lines_before; ++i)
    log += "[" + std::to_string(i) + "] this line says nothing at all\n";
  return log +
         "RuntimeError:\nThe detected CUDA version (13.1) mismatches the version that was used to "
         "compile\nPyTorch (12.8). Please make sure to use the same CUDA versions.\n";
}

TEST(LibraryTest, VeryLongLinesKeepLineNumbers) {
  const std::string log = "first\n" + std::string(5'000'000, 'y') + "\n" +
                          std::string(5'000'000, 'z') + "\n" + Wrapped(3);
  const std::string whole = Diagnose(Rules(), log);
  EXPECT_NE(whole.find("\"evidence\":[{\"line\":8,\"last_line\":9,\"column\":1,"),
            std::string::npos)
      << whole.substr(0, 2000);
  EXPECT_NE(whole.find("\"lines\":9,"), std::string::npos);
  EXPECT_EQ(Diagnose(Rules(), log, [] { return 60'001; }), whole);
}

TEST(LibraryTest, AWrappedMessageBeforeLongLinesIsRejoined) {
  const std::string log = Wrapped(3) + "nvcc " + std::string(5000, 'x') + "\nnvcc " +
                          std::string(5000, 'x') + "\nnvcc " + std::string(8000, 'x') + "\n";
  EXPECT_NE(Diagnose(Rules(), log).find("\"cause\":\"cuda-version-mismatch\""), std::string::npos);
}

long PeakKilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

// A log ten times as long, full of errors, takes no more memory and gives no longer report.
TEST(LibraryTest, MemoryAndReportAreBounded) {
  const auto noisy = [](int lines) {
    std::string report;
    auto session = Session::Create(Rules(), {});
    std::string block;
    for (int i = 0; i < lines; ++i) {
      if (i % 200 == 0) {
        block += "foo.cu(" + std::to_string(i) + "): error: identifier \"x" + std::to_string(i) +
                 "\" is undefined; Killed; No space left on device\n";
      } else {
        block += "[" + std::to_string(i) +
                 "] copying flash_attn/layers/rotary.py -> "
                 "build/lib.linux-x86_64-cpython-312/flash_attn/layers\n";
      }
      if (block.size() < 100'000 && i + 1 < lines) continue;
      EXPECT_TRUE((*session)->Feed(block).ok());
      block.clear();
    }
    const absl::StatusOr<Report> finished = (*session)->Finish(std::nullopt);
    EXPECT_TRUE(finished.ok()) << finished.status();
    if (finished.ok()) {
      EXPECT_EQ(finished->input.lines, lines);
      report = Render("json", *finished);
    }
    return report;
  };
  const std::string small = noisy(20'000);
  const long before = PeakKilobytes();
  const std::string large = noisy(200'000);
#if !defined(__SANITIZE_ADDRESS__)  // which keeps freed memory to find its late uses
  EXPECT_LT(PeakKilobytes() - before, 30'000) << "KiB more for ten times the log";
#else
  EXPECT_GT(before, 0);
#endif
  EXPECT_LT(large.size(), small.size() * 2 + 10'000);
}

}  // namespace
}  // namespace cudadoctor
