#include "match/source_location.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "re2/re2.h"

namespace cudadoctor {

namespace {

// The extension tells a file from a version or a host's name.
constexpr const char* kExtension =
    R"re(\.(?:cu|cuh|ptx|hip|c|cc|cpp|cxx|h|hh|hpp|hxx|inl|ipp|tcc|S|s|m|mm|rs|py|pyx|pxd|cmake|txt|toml|cfg|json|ninja))re";

std::string PlaceExpression() {
  // An absolute path at the start of a message may hold blanks.
  return absl::StrCat(
      R"re((?:^|[\s"'=(|])(^(?:[A-Za-z]:)?[/\\][^:"'()|]*[\w+-])re", kExtension,
      R"re(|(?:[A-Za-z]:)?[\w./\\+@~-]*[\w+-])re", kExtension,
      R"re()(?:\((\d{1,7})(?:[,:](\d{1,5}))?\)|:(\d{1,7})(?::(\d{1,5}))?(?:[:,\s]|$)))re",
      R"re(|"([^"]+)re", kExtension, R"re()",? line (\d{1,7}))re");
}

}  // namespace

std::optional<SourceLocation> FindSourceLocation(std::string_view text) {
  static const RE2 kPlace(PlaceExpression());
  std::string file, called_line, called_column, plain_line, plain_column, quoted, quoted_line;
  if (!RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), kPlace, &file, &called_line,
                         &called_column, &plain_line, &plain_column, &quoted, &quoted_line))
    return std::nullopt;
  const auto number = [](const std::string& a, const std::string& b, const std::string& c) {
    const std::string& digits = !a.empty() ? a : !b.empty() ? b : c;
    return digits.empty() ? 0 : std::stoi(digits);
  };
  SourceLocation location{quoted.empty() ? file : quoted,
                          number(called_line, plain_line, quoted_line),
                          number(called_column, plain_column, "")};
  if (location.line == 0) return std::nullopt;
  return location;
}

}  // namespace cudadoctor
