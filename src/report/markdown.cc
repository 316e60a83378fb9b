#include "report/markdown.h"

#include <algorithm>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/views.h"
#include "report/names.h"
#include "report/quote.h"
#include "report/renderer.h"

namespace cudadoctor {
namespace {

// What a bot looks for, to update its comment instead of adding another.
constexpr std::string_view kMarker = "<!-- cudadoctor -->\n";

// A comment of GitHub holds 65,536 characters (its API refuses longer ones: "Body is too long").
constexpr size_t kMaxCommentBytes = 60000;

constexpr size_t kMaxEvidence = 3;
constexpr size_t kMaxSymptoms = 10;
constexpr size_t kMaxReferences = 2;
constexpr size_t kQuoteColumns = 240;

size_t LongestRun(std::string_view text, char wanted) {
  size_t longest = 0;
  size_t run = 0;
  for (const char c : text) {
    run = c == wanted ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

std::string CodeSpan(std::string_view text) {
  if (text.empty()) return "";
  const size_t run = LongestRun(text, '`');
  const std::string ticks(run + 1, '`');
  // A blank on each side, which renderers take away again, keeps backticks apart.
  const char* space = run == 0 ? "" : " ";
  return absl::StrCat(ticks, space, Absl(text), space, ticks);
}

std::string EscapeHtml(std::string_view text) {
  std::string html;
  for (const char c : text) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      default:
        html.push_back(c);
    }
  }
  return html;
}

bool IsPlainCharacter(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || (c & 0x80) != 0 ||
         std::string_view(".,;:'\"()/+-=?").find(c) != std::string_view::npos;
}

// Whether a word means nothing but itself to Markdown and to what GitHub, GitLab and Buildkite add
// to it: mentions, references (#1, !1, GH-1, commits), addresses that become links, :emoji:.
bool IsPlain(std::string_view word) {
  if (!std::all_of(word.begin(), word.end(), IsPlainCharacter)) return false;
  if (word.find(':') < word.size() - 1) return false;
  if (absl::StrContains(absl::AsciiStrToLower(Absl(word)), "www.")) return false;
  constexpr size_t kShortestCommit = 7;
  if (word.size() >= kShortestCommit && std::all_of(word.begin(), word.end(), [](char c) {
        return absl::ascii_isxdigit(static_cast<unsigned char>(c));
      }))
    return false;
  const size_t capitals = static_cast<size_t>(
      std::find_if(word.begin(), word.end(),
                   [](char c) { return !absl::ascii_isupper(static_cast<unsigned char>(c)); }) -
      word.begin());
  if (capitals > 0 && capitals + 1 < word.size() && word[capitals] == '-' &&
      absl::ascii_isdigit(static_cast<unsigned char>(word[capitals + 1])))
    return false;
  return true;
}

// Whether `word` at the start of a line's content would make it a list.
bool StartsList(std::string_view word) {
  if (word == "-" || word == "+") return true;
  const size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
  return digits > 0 && (word.substr(digits) == "." || word.substr(digits) == ")");
}

// Splits `text` into words and gives each to plain() or code(); sentence marks around a word of
// code stay outside of it.
template <typename Plain, typename Code>
std::string Words(std::string_view text, const Plain& plain, const Code& code) {
  std::string result;
  for (const absl::string_view split : absl::StrSplit(OneLine(text), ' ', absl::SkipWhitespace())) {
    std::string_view word = Std(split);
    const bool is_list = result.empty() && StartsList(word);
    if (!result.empty()) result.push_back(' ');
    if (IsPlain(word) && !is_list) {
      result += plain(word);
      continue;
    }
    size_t first = std::min(word.find_first_not_of("('\""), word.size());
    size_t end = word.find_last_not_of(".,;:)'\"") + 1;
    // A bracket that closes within the word belongs to it: at::view(int)
    if (first == 0 && word.substr(0, end).find('(') != std::string_view::npos)
      end = std::max(end, word.find_last_of(')') + 1);
    if (end <= first || is_list) {
      first = 0;
      end = word.size();
    }
    result += plain(word.substr(0, first));
    result += code(word.substr(first, end - first));
    result += plain(word.substr(end));
  }
  return result;
}

// `text` inside an element of HTML, where Markdown is not read but mentions are.
std::string InlineHtml(std::string_view text) {
  return Words(text, EscapeHtml, [](std::string_view word) {
    return absl::StrCat("<code>", EscapeHtml(word), "</code>");
  });
}

std::string NumberedLine(int64_t line, std::string_view text) {
  return absl::StrCat(line, " | ", Absl(text), "\n");
}

std::string Quoted(const std::vector<Evidence>& evidence, size_t most) {
  std::string lines;
  for (size_t i = 0; i < evidence.size() && i < most; ++i)
    lines += NumberedLine(evidence[i].line, Quote(evidence[i], kQuoteColumns));
  return lines.empty() ? "" : absl::StrCat(MarkdownFence("text", lines), "\n");
}

std::string Verdict(const Diagnosis& diagnosis) {
  if (diagnosis.cause == "unknown") return "";
  return absl::StrCat(" (", CodeSpan(diagnosis.cause), ", ", Name(diagnosis.confidence), ")");
}

// Commands that follow each other share a block.
std::string StepsOf(const Remedy& remedy) {
  std::string text;
  std::string commands;
  const auto flush = [&text, &commands] {
    if (!commands.empty()) absl::StrAppend(&text, MarkdownFence("bash", commands), "\n");
    commands.clear();
  };
  for (const Step& step : remedy.steps) {
    if (!step.run.empty()) absl::StrAppend(&commands, step.run, "\n");
    if (step.note.empty()) continue;
    flush();
    absl::StrAppend(&text, "Note: ", MarkdownInline(step.note), "\n\n");
  }
  flush();
  if (remedy.check.has_value()) {
    absl::StrAppend(&text, "Check: ", CodeSpan(OneLine(remedy.check->run)), " says ",
                    MarkdownInline(remedy.check->says), "\n\n");
  }
  return text;
}

std::string Details(const std::string& summary_html, const std::string& content) {
  return absl::StrCat("<details>\n<summary>", summary_html, "</summary>\n\n", content,
                      "</details>\n\n");
}

// Several symptoms can stand in one line.
std::string ChainOf(const Diagnosis& diagnosis) {
  std::vector<const Symptom*> chain;
  for (const Symptom& symptom : diagnosis.symptoms) {
    if (chain.empty() || chain.back()->line != symptom.line) chain.push_back(&symptom);
  }
  if (chain.empty()) return "";
  std::string lines;
  for (size_t i = 0; i < chain.size() && i < kMaxSymptoms; ++i)
    lines += NumberedLine(chain[i]->line, Cut(chain[i]->text, kQuoteColumns));
  if (chain.size() > kMaxSymptoms)
    absl::StrAppend(&lines, "and ", chain.size() - kMaxSymptoms, " more\n");
  return Details("what follows from it", absl::StrCat(MarkdownFence("text", lines), "\n"));
}

// An address of a rule, as a link; nothing when it could be more than that.
std::string Link(std::string_view url) {
  const bool is_url =
      url.starts_with("https://") && std::all_of(url.begin(), url.end(), [](char c) {
        return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
               std::string_view("-._~:/?#&=%+").find(c) != std::string_view::npos;
      });
  return is_url ? absl::StrCat("<", Absl(url), ">") : "";
}

std::string SectionOf(const Report& report, const Diagnosis& diagnosis, bool names_input) {
  std::string text = "### ";
  if (names_input) absl::StrAppend(&text, CodeSpan(OneLine(report.input.name)), ": ");
  const std::string heading = Heading(report, diagnosis);
  absl::StrAppend(&text, MarkdownInline(heading), "\n\n");
  const std::string verdict = Verdict(diagnosis);
  if (heading != diagnosis.title) {
    absl::StrAppend(&text, "**", MarkdownInline(diagnosis.title), "**", verdict, "\n\n");
  } else if (!verdict.empty()) {
    absl::StrAppend(&text, verdict.substr(1), "\n\n");
  }
  text += Quoted(diagnosis.evidence, kMaxEvidence);
  if (const std::string_view limit = LimitOf(report); !limit.empty())
    absl::StrAppend(&text, "Note: ", Absl(limit), "\n\n");
  text += ChainOf(diagnosis);
  for (size_t i = 0; i < diagnosis.remedies.size(); ++i) {
    const Remedy& remedy = diagnosis.remedies[i];
    if (i == 0) {
      absl::StrAppend(&text, "**Fix:** ", MarkdownInline(TitleWithCost(remedy)), "\n\n",
                      StepsOf(remedy));
    } else {
      text += Details(absl::StrCat("or: ", InlineHtml(TitleWithCost(remedy))), StepsOf(remedy));
    }
  }
  if (!diagnosis.avoid.empty()) {
    text += "Does not help:\n\n";
    for (const std::string& avoid : diagnosis.avoid)
      absl::StrAppend(&text, "- ", MarkdownInline(avoid), "\n");
    text += "\n";
  }
  if (diagnosis.cause != "unknown") {
    absl::StrAppend(&text,
                    "More: ", CodeSpan(absl::StrCat("cudadoctor explain ", diagnosis.cause)));
    size_t links = 0;
    for (const std::string& reference : diagnosis.references) {
      const std::string link = Link(reference);
      if (!link.empty() && ++links <= kMaxReferences) absl::StrAppend(&text, ", ", link);
    }
    text += "\n\n";
  }
  return text;
}

// Beside a root, what is no root takes a line or two.
std::string AsideOf(const Diagnosis& diagnosis) {
  return absl::StrCat("**Besides:** ", MarkdownInline(diagnosis.title), Verdict(diagnosis), "\n\n",
                      Quoted(diagnosis.evidence, 1));
}

}  // namespace

std::string MarkdownInline(std::string_view text) {
  return Words(
      text, [](std::string_view word) { return std::string(word); }, CodeSpan);
}

std::string MarkdownFence(std::string_view language, std::string_view content) {
  const std::string fence(std::max<size_t>(LongestRun(content, '`') + 1, 3), '`');
  return absl::StrCat(fence, Absl(language), "\n", Absl(content),
                      content.empty() || content.ends_with('\n') ? "" : "\n", fence, "\n");
}

std::string MarkdownSections(std::span<const Report> reports, const MarkdownLimits& limits) {
  constexpr size_t kRoomForLastLine = 120;
  std::string text;
  size_t left_out = 0;
  for (const Report& report : reports) {
    for (const Diagnosis& diagnosis : report.diagnoses) {
      const std::string section = IsBesideRoot(report, diagnosis)
                                      ? AsideOf(diagnosis)
                                      : SectionOf(report, diagnosis, limits.names_input);
      if (left_out > 0 || text.size() + section.size() + kRoomForLastLine > limits.max_bytes) {
        ++left_out;
      } else {
        text += section;
      }
    }
  }
  if (left_out > 0) {
    absl::StrAppend(&text, left_out, left_out == 1 ? " diagnosis is" : " diagnoses are",
                    " left out for want of room; `--format json` has all.\n");
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

std::string RenderMarkdown(std::span<const Report> reports, const RenderOptions& options) {
  std::string text = absl::StrCat(
      Absl(kMarker), MarkdownSections(reports, {options.names_input, kMaxCommentBytes}));
  for (const Report& report : reports) {
    if (!report.diagnoses.empty() || text.size() > kMaxCommentBytes) continue;
    text += text.size() > kMarker.size() ? "\n" : "";
    if (options.names_input) absl::StrAppend(&text, CodeSpan(OneLine(report.input.name)), ": ");
    absl::StrAppend(&text, NoDiagnosis(report), "\n");
  }
  return text;
}

}  // namespace cudadoctor
