#include "run/build_watch.h"

#include "gtest/gtest.h"
#include "host/root_of_processes.h"

namespace cudadoctor {
namespace {

constexpr int64_t kMib = int64_t{1} << 20;
constexpr int64_t kStarted = 1800000000;

// pip and its ninja, as ps showed them while a CUDA extension was built.
void AddPipAndNinja(Root& root) {
  root.Add(1, 0, "systemd", 10);
  root.Add(50, 1, "bash", 5);
  root.Add(100, 50, "pip", 90, {"python3", "/usr/bin/pip", "wheel", "."});
  root.Add(110, 100, "python3.11", 200, {"python3.11", "setup.py", "bdist_wheel"});
  root.Add(120, 110, "ninja", 8, {"ninja", "-v", "-j", "2"});
}

TEST(BuildWatchTest, JobsAreTheTopmostCompilers) {
  Root root;
  AddPipAndNinja(root);
  root.Add(130, 120, "nvcc", 5, {"nvcc", "-c", "a.cu", "-o", "a.o"});
  root.Add(131, 130, "sh", 1, {"sh", "-c", "cicc …"});
  root.Add(132, 131, "cicc", 3000, {"cicc"}, 3500);
  root.Add(140, 120, "nvcc", 5, {"nvcc", "-c", "b.cu", "-o", "b.o"});
  root.Add(141, 140, "cicc", 1000, {"cicc"});
  root.Add(142, 140, "cicc", 1200, {"cicc"});
  root.Add(200, 50, "cc1plus", 9000, {"cc1plus"});  // of somebody else
  BuildWatch watch(root.path(), kStarted);
  watch.Sample(100, {});
  const BuildStats& stats = watch.stats();
  EXPECT_EQ(stats.live_compilers, 2);
  EXPECT_EQ(stats.compiler_bytes, (5 + 1 + 3000 + 5 + 1000 + 1200) * kMib);
  EXPECT_EQ(stats.job_peak_bytes, 3500 * kMib) << "what the kernel measured between two samples";
  EXPECT_EQ(stats.compiles_seen, 2);
  EXPECT_EQ(stats.compiles_done, 0);
  EXPECT_FALSE(stats.is_one_at_a_time);

  for (const int pid : {130, 131, 132}) root.Remove(pid);
  watch.Sample(100, {});
  EXPECT_EQ(stats.live_compilers, 1);
  EXPECT_EQ(stats.compiles_seen, 2);
  EXPECT_EQ(stats.compiles_done, 1);
  EXPECT_EQ(stats.jobs_at_once, 2);
  EXPECT_EQ(stats.peak_bytes, 5211 * kMib);

  watch.Sample(4711, {});  // ended
  EXPECT_EQ(stats.live_compilers, 0);
  EXPECT_EQ(stats.jobs_at_once, 2);
}

TEST(BuildWatchTest, ObjectsOfNinja) {
  Root root;
  AddPipAndNinja(root);
  root.WorksIn(120, "/b");
  root.Write("/b/build.ninja", "build a.o: cc a\nbuild b.o: cc b\nbuild c.o: cc c\n");
  root.Write("/b/.ninja_log", "# ninja log v5\n0\t9\t1800000001000000000\ta.o\tabc\n");
  BuildWatch watch(root.path(), kStarted);
  watch.Sample(100, {});
  EXPECT_EQ(watch.stats().objects_built, 1);
  EXPECT_EQ(watch.stats().objects_total, 3);
  watch.Sample(100, std::chrono::steady_clock::time_point(std::chrono::seconds(90)));
  EXPECT_EQ(watch.stats().objects_time, std::chrono::seconds(90));
  root.Remove(120);
  watch.Sample(100, {});
  EXPECT_EQ(watch.stats().objects_total, 0);
}

TEST(BuildWatchTest, OneFileAtATime) {
  struct Row {
    const char* name;
    const char* parent;
    bool is_second_parallel;
    bool expected;
  };
  const Row rows[] = {
      {"setuptools", "python3.11", false, true},
      {"make", "make", false, false},
      {"setuptools in parallel", "python3.11", true, false},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    Root root;
    root.Add(100, 1, "pip", 90, {"pip"});
    root.Add(110, 100, row.parent, 90, {row.parent});
    root.Add(120, 110, "gcc", 1, {"gcc", "-c", "a.c"});
    root.Add(121, 120, "cc1", 100, {"cc1", "a.c"});
    BuildWatch watch(root.path(), kStarted);
    watch.Sample(100, {});
    EXPECT_FALSE(watch.stats().is_one_at_a_time) << "one file says nothing";
    if (!row.is_second_parallel) {
      root.Remove(120);
      root.Remove(121);
    }
    root.Add(122, 110, "gcc", 1, {"gcc", "-c", "b.c"});
    watch.Sample(100, {});
    EXPECT_EQ(watch.stats().is_one_at_a_time, row.expected);
  }
}

TEST(BuildWatchTest, LinkingMakesNoObject) {
  Root root;
  root.Add(100, 1, "g++", 1, {"g++", "-shared", "a.o", "-o", "x.so"});
  root.Add(101, 100, "ld", 100, {"ld"});
  BuildWatch watch(root.path(), kStarted);
  watch.Sample(100, {});
  EXPECT_EQ(watch.stats().jobs_seen, 1);
  EXPECT_EQ(watch.stats().compiles_seen, 0);
}

TEST(MeasuredFactsTest, InGib) {
  BuildStats stats;
  EXPECT_TRUE(MeasuredFacts(stats).empty());
  stats.jobs_seen = 9;
  stats.jobs_at_once = 4;
  stats.job_peak_bytes = 3584 * kMib;
  stats.peak_bytes = 10 * kMib;
  const std::vector<Fact> facts = MeasuredFacts(stats);
  ASSERT_EQ(facts.size(), 2);
  EXPECT_EQ(facts[0].name, "job_memory_seen");
  EXPECT_EQ(facts[0].value, "3.5");
  EXPECT_EQ(facts[0].origin, Origin::kHost);
  EXPECT_EQ(facts[1].name, "jobs_seen");
  EXPECT_EQ(facts[1].value, "4");
}

}  // namespace
}  // namespace cudadoctor
