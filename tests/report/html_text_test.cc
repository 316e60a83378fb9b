#include "report/html_text.h"

#include <string>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

struct Row {
  const char* name;
  std::string text;
  std::string html;
};

TEST(HtmlTextTest, NothingOfATextIsMarkup) {
  const Row rows[] = {
      {"plain", "ninja: build stopped", "ninja: build stopped"},
      {"empty", "", ""},
      {"element", "<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"},
      {"quotes", R"(" onclick='x')", "&quot; onclick=&#39;x&#39;"},
      {"entity", "a &lt; b && c", "a &amp;lt; b &amp;&amp; c"},
      {"end of character data", "]]>", "]]&gt;"},
      {"tabs and line ends stay", "a\tb\nc", "a\tb\nc"},
      {"control characters", std::string("a\0b\x1b[31m\r\x7F", 10),
       "a\uFFFDb\uFFFD[31m\uFFFD\uFFFD"},
      {"letters of other scripts", "错误 é \u2192", "错误 é \u2192"},
      {"direction controls", "a\u202Eb\u2066c\u2069d\u200Fe\u061Cf",
       "a\uFFFDb\uFFFDc\uFFFDd\uFFFDe\uFFFDf"},
      {"neighbours of direction controls", "\u2029\u202F\u2065\u206A\u2010",
       "\u2029\u202F\u2065\u206A\u2010"},
      {"cut inside a character", "a\xE2\x80", "a\xE2\x80"},
  };
  for (const Row& row : rows) EXPECT_EQ(HtmlText(row.text), row.html) << row.name;
}

TEST(HtmlTextTest, WordsWithHyphensStayWhole) {
  const Row rows[] = {
      {"empty", "", ""},
      {"none", "uv sync", "uv sync"},
      {"options", "uv sync --frozen  -q",
       R"(uv sync <span class="w">--frozen</span>  )"
       R"(<span class="w">-q</span>)"},
      {"lines", "a-b\nc ", "<span class=\"w\">a-b</span>\nc "},
      {"markup", "<b-c>", "<span class=\"w\">&lt;b-c&gt;</span>"},
  };
  for (const Row& row : rows) EXPECT_EQ(HtmlWords(row.text), row.html) << row.name;
}

TEST(HtmlTextTest, BackticksAreCodeInProse) {
  const Row rows[] = {
      {"empty", "", ""},
      {"none", "a b", "a b"},
      {"one pair", "see `nvcc --version` first",
       R"(see <code>nvcc <span class="w">--version</span></code> first)"},
      {"two pairs", "`a` `b`", "<code>a</code> <code>b</code>"},
      {"unpaired", "a ` b", "a ` b"},
      {"pair and a third", "`a` b ` c", "<code>a</code> b ` c"},
      {"markup", "`<i>`", "<code>&lt;i&gt;</code>"},
  };
  for (const Row& row : rows) EXPECT_EQ(HtmlProse(row.text), row.html) << row.name;
}

TEST(HtmlTextTest, OnlyWebAddressesAreLinks) {
  const Row rows[] = {
      {"https", "https://example.org/a?b=1&c",
       R"(<a href="https://example.org/a?b=1&amp;c" rel="noreferrer">)"
       "https://example.org/a?b=1&amp;c</a>"},
      {"http", "HTTP://example.org",
       R"(<a href="HTTP://example.org" rel="noreferrer">HTTP://example.org</a>)"},
      {"out of the attribute", R"(https://x/" onmouseover="y)",
       R"(<a href="https://x/&quot; onmouseover=&quot;y" rel="noreferrer">)"
       "https://x/&quot; onmouseover=&quot;y</a>"},
      {"script", "javascript:alert(1)", "javascript:alert(1)"},
      {"script behind a blank", " javascript:alert(1)", " javascript:alert(1)"},
      {"data", "data:text/html,<b>", "data:text/html,&lt;b&gt;"},
      {"another scheme that ends alike", "xhttps://example.org", "xhttps://example.org"},
      {"file", "file:///etc/passwd", "file:///etc/passwd"},
      {"no scheme", "//example.org", "//example.org"},
  };
  for (const Row& row : rows) EXPECT_EQ(HtmlLink(row.text), row.html) << row.name;
}

TEST(HtmlTextTest, Numbers) {
  EXPECT_EQ(HtmlNumber(0), "0");
  EXPECT_EQ(HtmlNumber(999), "999");
  EXPECT_EQ(HtmlNumber(4312), "4,312");
  EXPECT_EQ(HtmlNumber(52'428'800), "52,428,800");
  EXPECT_EQ(HtmlNumber(-123), "-123");
  EXPECT_EQ(HtmlNumber(-1234), "-1,234");
  EXPECT_EQ(HtmlLines(7, 7), "line 7");
  EXPECT_EQ(HtmlLines(7, 0), "line 7");
  EXPECT_EQ(HtmlLines(999, 1000), "lines 999 to 1,000");
}

// The digest of "abc" is an example of FIPS 180-4.
TEST(HtmlTextTest, HashAsAContentPolicyHasIt) {
  EXPECT_EQ(HtmlHashSource("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            "'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='");
}

}  // namespace
}  // namespace cudadoctor
