#include "report/renderer.h"

#include <set>
#include <string>

#include "gtest/gtest.h"
#include "report/sample_report.h"

namespace cudadoctor {
namespace {

TEST(FormatsTest, AreFoundByTheirNames) {
  std::set<std::string_view> names;
  for (const Format& format : Formats()) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name << " twice";
    EXPECT_EQ(FindFormat(format.name), &format);
    EXPECT_FALSE(format.prints.empty()) << format.name;
  }
  EXPECT_EQ(FindFormat("yaml"), nullptr);
  EXPECT_EQ(FindFormat(""), nullptr);
}

TEST(FormatsTest, EachRendersNoneOneAndTwoReports) {
  const Report reports[] = {SampleReport(), Report()};
  for (const Format& format : Formats()) {
    for (size_t count = 0; count <= 2; ++count) {
      const std::string text = format.render({reports, count}, {});
      EXPECT_TRUE(text.empty() || text.back() == '\n') << format.name << ", " << count;
    }
  }
}

}  // namespace
}  // namespace cudadoctor
