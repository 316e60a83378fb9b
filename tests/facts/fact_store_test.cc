#include "facts/fact_store.h"

#include <string>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

Fact Of(const std::string& name, const std::string& value, int line, int unit,
        Origin origin = Origin::kLog) {
  return {name, ValueType::kVersion, value, origin, line, unit};
}

TEST(FactStoreTest, KeepsTheFirstLineOfWhatIsStatedAgain) {
  FactStore store;
  store.Add(Of("a", "1", 7, 1));
  store.Add(Of("a", "1", 9, 1));
  store.Add(Of("a", "1", 3, 1));
  ASSERT_EQ(store.facts().size(), 1u);
  EXPECT_EQ(store.facts()[0].line, 3);
}

TEST(FactStoreTest, KeepsConflictsUnitsAndOriginsApart) {
  FactStore store;
  store.Add(Of("a", "1", 1, 1));
  store.Add(Of("a", "2", 2, 1));
  store.Add(Of("a", "1", 3, 2));
  store.Add(Of("a", "1", 0, 0, Origin::kHost));
  store.Add(Of("b", "1", 1, 1));
  Fact elsewhere = Of("a", "1", 0, 0, Origin::kHost);
  elsewhere.at = "/usr/local/cuda-12.8";
  store.Add(elsewhere);
  store.Add(elsewhere);
  EXPECT_EQ(store.facts().size(), 6u);
}

TEST(FactStoreTest, FindsTheNearest) {
  FactStore store;
  store.Add(Of("a", "host", 0, 0, Origin::kHost));
  store.Add(Of("a", "early", 5, 1));
  store.Add(Of("a", "late", 9, 1));
  store.Add(Of("a", "other", 20, 2));
  store.Add(Of("h", "host", 0, 0, Origin::kHost));
  struct Row {
    const char* name;
    const char* fact;
    int unit;
    int line;
    const char* expected;
  };
  const Row rows[] = {
      {"on the line", "a", 1, 5, "early"},
      {"the last before the line", "a", 1, 8, "early"},
      {"a later one", "a", 1, 100, "late"},
      {"none before: the first after", "a", 1, 1, "early"},
      {"its own unit before others", "a", 2, 10, "other"},
      {"a unit that states nothing: the last before", "a", 3, 15, "late"},
      {"a unit that states nothing: any", "a", 3, 1, "early"},
      {"the host's last", "h", 1, 5, "host"},
      {"unknown", "x", 1, 5, "nothing"},
  };
  for (const Row& row : rows) {
    const Fact* fact = store.Find(row.fact, row.unit, row.line);
    EXPECT_EQ(fact == nullptr ? "nothing" : fact->value, row.expected) << row.name;
  }
}

TEST(FactStoreTest, TheLastOfTwoOnOneLine) {
  FactStore store;
  store.Add(Of("a", "1", 5, 1));
  store.Add(Of("a", "2", 5, 1));
  EXPECT_EQ(store.Find("a", 1, 5)->value, "2");
}

}  // namespace
}  // namespace cudadoctor
