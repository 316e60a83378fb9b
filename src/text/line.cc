#include "text/line.h"

#include <algorithm>
#include <array>

#include "text/dress.h"
#include "text/utf.h"

namespace cudadoctor {
namespace {

constexpr std::string_view kArrow = "\xE2\x86\x90";  // how some Windows terminals show an escape

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Length of "[...final" at `text`, the body of a control sequence; 0 when there is none.
size_t ControlSequenceLength(std::string_view text) {
  if (text.empty() || text[0] != '[') return 0;
  size_t i = 1;
  while (i < text.size() && text[i] >= 0x20 && text[i] <= 0x3F) ++i;
  return i < text.size() && text[i] >= 0x40 && text[i] <= 0x7E ? i + 1 : 0;
}

// Length of a colour code whose escape character was lost: "[31m", "[1;33m", "[0m".
size_t BareColourLength(std::string_view text) {
  size_t i = 1;
  while (i < text.size() && i < 12 && (IsDigit(text[i]) || text[i] == ';')) ++i;
  return i > 1 && i < text.size() && text[i] == 'm' && (i + 1 == text.size() || text[i + 1] != ']')
             ? i + 1
             : 0;
}

// Length of the escape sequence at `text`, which begins with an escape character.
size_t EscapeLength(std::string_view text) {
  if (text.size() < 2) return text.size();
  switch (text[1]) {
    case '[': {
      const size_t length = ControlSequenceLength(text.substr(1));
      return length == 0 ? 2 : length + 1;
    }
    case ']':
    case '_':
    case 'P':
    case '^': {  // a string that a bell or ESC \ ends
      const size_t end = text.find_first_of("\a\x1b", 2);
      if (end == std::string_view::npos) return 2;
      return text[end] == '\a' ? end + 1
                               : end + (end + 1 < text.size() && text[end + 1] == '\\' ? 2 : 0);
    }
    case '(':
    case ')':
      return text.size() < 3 ? text.size() : 3;
    default:
      return 2;
  }
}

// `from`, if any, becomes the raw byte of each byte that is left.
std::string RemoveControls(std::string_view raw, std::vector<size_t>* from = nullptr) {
  std::string text;
  text.reserve(raw.size());
  const char* const begin = raw.data();
  while (!raw.empty()) {
    const char c = raw.front();
    if (c == '\x1b') {
      raw.remove_prefix(std::max<size_t>(EscapeLength(raw), 1));
      continue;
    }
    if (c == '[') {
      if (const size_t length = BareColourLength(raw); length > 0) {
        raw.remove_prefix(length);
        continue;
      }
    }
    if (c == kArrow[0] && raw.substr(0, kArrow.size()) == kArrow) {
      if (const size_t length = ControlSequenceLength(raw.substr(kArrow.size())); length > 0) {
        raw.remove_prefix(kArrow.size() + length);
        continue;
      }
    }
    const auto byte = static_cast<unsigned char>(c);
    const bool is_redraw = c == '\r' && from != nullptr;
    if (c == '\t' || is_redraw || (byte >= 0x20 && byte != 0x7f)) {
      text.push_back(c);
      if (from != nullptr) from->push_back(static_cast<size_t>(raw.data() - begin));
    }
    raw.remove_prefix(1);
  }
  return text;
}

bool IsVisible(std::string_view state) {
  const std::string text = RemoveControls(state);
  return std::any_of(text.begin(), text.end(), [](char c) { return c != ' ' && c != '\t'; });
}

// What is on the screen after the last redraw that shows anything: "\r\x1b[K" at the end shows
// nothing.
std::string_view LastState(std::string_view raw) {
  for (;;) {
    const size_t redraw = raw.rfind('\r');
    if (redraw == std::string_view::npos) return raw;
    if (const std::string_view state = raw.substr(redraw + 1); IsVisible(state)) return state;
    raw = raw.substr(0, redraw);
  }
}

struct Gutter {
  std::string_view mark;
  bool starts_node;
};

constexpr std::array<Gutter, 8> kGutters = {{
    {"\xE2\x94\x82", false},                         // │
    {"\xE2\x95\xB0\xE2\x94\x80>", true},             // ╰─>
    {"\xE2\x95\xB0\xE2\x94\x80\xE2\x96\xB6", true},  // ╰─▶
    {"\xE2\x94\x9C\xE2\x94\x80\xE2\x96\xB6", true},  // ├─▶
    {"\xE2\x94\x9C\xE2\x94\x80>", true},             // ├─>
    {"|->", true},
    {"`->", true},
    {"+->", true},
}};

size_t RemoveBlanks(std::string_view& text) {
  size_t n = 0;
  while (n < text.size() && (text[n] == ' ' || text[n] == '\t')) ++n;
  text.remove_prefix(n);
  return n;
}

bool RemoveGutter(std::string_view& text, CleanLine& line) {
  for (const Gutter& gutter : kGutters) {
    if (text.substr(0, gutter.mark.size()) != gutter.mark) continue;
    const std::string_view rest = text.substr(gutter.mark.size());
    if (!rest.empty() && rest.front() != ' ') continue;
    text = rest;
    ++line.gutters;
    line.starts_node = line.starts_node || gutter.starts_node;
    return true;
  }
  return false;
}

bool StartsWithAny(std::string_view text, std::initializer_list<std::string_view> heads) {
  for (const std::string_view head : heads) {
    if (text.substr(0, head.size()) == head) return true;
  }
  return false;
}

// "tests/test_log.py::test_parses[nvcc fatal   : …] PASSED"
bool IsTestName(std::string_view text) {
  const size_t name = text.find(".py::");
  return name != std::string_view::npos && text.substr(0, name).find(' ') == std::string_view::npos;
}

// Whether a compiler's message with its place begins here: "a.cu(12): ", "a.cpp:12:5: ".
bool BeginsWithPlace(std::string_view text) {
  const size_t end = text.find_first_of(" (:");
  if (end == 0 || end == std::string_view::npos || text[end] == ' ') return false;
  const size_t digits = end + 1;
  const size_t after = text.find_first_not_of("0123456789", digits);
  if (after == digits || after == std::string_view::npos) return false;
  return text[end] == '(' ? text.substr(after, 3) == "): " : text[after] == ':';
}

}  // namespace

CleanLine Clean(std::string_view raw) {
  CleanLine line;
  std::string_view state = LastState(raw);
  constexpr size_t kMargin = 4 << 10;
  line.is_cut = state.size() > kMaxLineBytes;
  state = state.substr(0, kMaxLineBytes + kMargin);
  const std::string visible = RemoveControls(state);
  std::string_view text = visible;
  if (StartsWithAny(text, {"\xEF\xBB\xBF"})) text.remove_prefix(3);
  Dress dress = RemoveDress(text);
  line.stream = std::move(dress.stream);
  line.is_foreign = dress.is_foreign;
  line.indent = static_cast<int>(RemoveBlanks(text));
  while (RemoveGutter(text, line)) line.indent = static_cast<int>(RemoveBlanks(text));
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  line.text.reserve(text.size());
  AppendValidUtf8(text, line.text);
  for (char& c : line.text) {
    if (c == '\t') c = ' ';
  }
  line.is_name = IsTestName(line.text);
  return line;
}

void Cut(CleanLine& line) {
  if (line.text.size() <= kMaxLineBytes) return;
  size_t end = line.text.rfind(' ', kMaxLineBytes);
  if (end == std::string::npos || end < kMaxLineBytes / 2) {
    end = kMaxLineBytes;
    while (end > 0 && (line.text[end] & 0xC0) == 0x80) --end;
  }
  line.text.resize(end);
}

VisibleText VisibleOf(std::string_view raw) {
  std::vector<size_t> from;
  const std::string shown = RemoveControls(raw, &from);
  VisibleText visible;
  for (size_t i = 0; i < shown.size();) {
    const auto first = static_cast<unsigned char>(shown[i]);
    const size_t length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    const std::string_view character = std::string_view(shown).substr(i, length);
    std::string valid;
    AppendValidUtf8(character, valid);
    if (!valid.empty()) {
      visible.text.append(character);
      for (size_t k = 0; k < character.size(); ++k) visible.from.push_back(from[i + k]);
    }
    i += character.size();
  }
  return visible;
}

std::string Printable(std::string_view text) {
  std::string printable;
  AppendValidUtf8(RemoveControls(text), printable);
  for (char& c : printable) {
    if (c == '\t') c = ' ';
  }
  return printable;
}

bool MayContinue(const CleanLine& line, const CleanLine& next) {
  constexpr size_t kShortestWrappedLine = 18;
  if (line.text.size() < kShortestWrappedLine || next.text.empty()) return false;
  if (line.stream != next.stream || next.starts_node || BeginsWithPlace(next.text)) return false;
  return !StartsWithAny(next.text, {"Traceback (most", "File \"", "[stdout]", "[stderr]", "hint: ",
                                    "note: ", "error: ", "ERROR: ", "WARNING: ", "warning: ", "##[",
                                    "> ", "$ ", "+ ", "- ", "#", ">>> "});
}

}  // namespace cudadoctor
