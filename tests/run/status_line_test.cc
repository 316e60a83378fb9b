#include "run/status_line.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

constexpr int64_t kGib = int64_t{1} << 30;

BuildStats Ninja(int built, int total, int minutes) {
  BuildStats stats;
  stats.jobs_seen = 40;
  stats.live_compilers = 4;
  stats.compiler_bytes = 11 * kGib + kGib / 5;
  stats.compiles_done = 35;
  stats.objects_built = built;
  stats.objects_total = total;
  stats.objects_time = std::chrono::minutes(minutes);
  return stats;
}

BuildStats Serial(int done) {
  BuildStats stats;
  stats.jobs_seen = done + 1;
  stats.live_compilers = 1;
  stats.compiler_bytes = 6 * kGib / 10;
  stats.compiles_done = done;
  stats.is_one_at_a_time = true;
  return stats;
}

TEST(StatusLineTest, Table) {
  BuildStats old = Ninja(37, 85, 12);
  old.is_total_floor = true;
  BuildStats between = Serial(1);
  between.live_compilers = 0;
  BuildStats make = Serial(7);
  make.is_one_at_a_time = false;
  struct Row {
    const char* name;
    BuildStats stats;
    int seconds;
    int width;
    const char* line;
  };
  const Row rows[] = {
      {"half way", Ninja(37, 85, 12), 740, 100,
       "cudadoctor: 37 of 85 objects, 4 compilers 11.2 GiB, 12 min, about 16 min left"},
      {"too early to tell", Ninja(8, 85, 12), 740, 100,
       "cudadoctor: 8 of 85 objects, 4 compilers 11.2 GiB, 12 min"},
      {"too few to tell", Ninja(4, 8, 12), 740, 100,
       "cudadoctor: 4 of 8 objects, 4 compilers 11.2 GiB, 12 min"},
      {"an hour", Ninja(40, 200, 65), 3905, 100,
       "cudadoctor: 40 of 200 objects, 4 compilers 11.2 GiB, 1 h 05 min, about 4 h 20 min left"},
      {"nearly there", Ninja(84, 85, 12), 740, 100,
       "cudadoctor: 84 of 85 objects, 4 compilers 11.2 GiB, 12 min, less than a minute left"},
      {"linking", Ninja(85, 85, 12), 740, 100,
       "cudadoctor: 85 of 85 objects, 4 compilers 11.2 GiB, 12 min"},
      {"objects of an earlier run", old, 740, 100,
       "cudadoctor: 37 of at least 85 objects, 4 compilers 11.2 GiB, 12 min"},
      {"no ninja", Serial(12), 59, 100,
       "cudadoctor: at least 12 objects, 1 compiler 0.6 GiB, no ninja: one file at a time, 59 s"},
      {"one object", between, 59, 100,
       "cudadoctor: at least 1 object, no compiler runs, no ninja: one file at a time, 59 s"},
      {"make", make, 60, 100, "cudadoctor: at least 7 objects, 1 compiler 0.6 GiB, 1 min"},
      {"no build", BuildStats(), 740, 100, ""},
      {"cut", Ninja(37, 85, 12), 740, 60,
       "cudadoctor: 37 of 85 objects, 4 compilers 11.2 GiB, 12 min"},
      {"cut more", Ninja(37, 85, 12), 740, 58,
       "cudadoctor: 37 of 85 objects, 4 compilers 11.2 GiB"},
      {"just", Ninja(37, 85, 12), 740, 29, "cudadoctor: 37 of 85 objects"},
      {"too narrow", Ninja(37, 85, 12), 740, 28, ""},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(StatusLine(row.stats, std::chrono::seconds(row.seconds), row.width), row.line)
        << row.name;
  }
}

}  // namespace
}  // namespace cudadoctor
