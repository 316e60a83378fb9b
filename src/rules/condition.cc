#include "rules/condition.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/status_macros.h"
#include "base/views.h"
#include "match/atoms.h"
#include "rules/pattern_text.h"

namespace cudadoctor {
namespace {

using Kind = Condition::Kind;

constexpr int kMostNested = 50;

struct Operand {
  std::string fact;     // or
  std::string literal;  // in quotes
  VersionPart part = VersionPart::kAll;
};

class ConditionParser {
 public:
  explicit ConditionParser(std::string_view text) : text_(text) { SkipBlanks(); }

  absl::StatusOr<std::vector<Condition>> Parse() {
    ASSIGN_OR_RETURN(Condition condition, Or());
    if (!text_.empty()) return Expected("and, or, or the end");
    if (condition.kind == Kind::kAll) return std::move(condition.conditions);
    std::vector<Condition> conditions;
    conditions.push_back(std::move(condition));
    return conditions;
  }

  size_t left() const { return text_.size(); }

 private:
  absl::Status Expected(std::string_view what) const {
    const std::string_view rest = text_.substr(0, 30);
    const std::string place = rest.empty() ? "at the end" : absl::StrCat("at \"", Absl(rest), "\"");
    return absl::InvalidArgumentError(absl::StrCat(place, ": ", Absl(what), " is expected"));
  }

  void SkipBlanks() {
    while (!text_.empty() && absl::ascii_isspace(static_cast<unsigned char>(text_.front())))
      text_.remove_prefix(1);
  }

  static bool IsOfName(char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_';
  }

  bool Take(std::string_view token) {
    if (text_.substr(0, token.size()) != token) return false;
    const bool is_word = IsOfName(token.back());
    if (is_word && text_.size() > token.size() && IsOfName(text_[token.size()])) return false;
    text_.remove_prefix(token.size());
    SkipBlanks();
    return true;
  }

  absl::StatusOr<Condition> Or() {
    if (++nested_ > kMostNested) return Expected("less nesting");
    Condition any;
    any.kind = Kind::kAny;
    do {
      ASSIGN_OR_RETURN(any.conditions.emplace_back(), And());
    } while (Take("or"));
    --nested_;
    if (any.conditions.size() > 1) return any;
    Condition only = std::move(any.conditions.front());
    return only;
  }

  absl::StatusOr<Condition> And() {
    Condition all;
    all.kind = Kind::kAll;
    do {
      ASSIGN_OR_RETURN(all.conditions.emplace_back(), Not());
    } while (Take("and"));
    if (all.conditions.size() > 1) return all;
    Condition only = std::move(all.conditions.front());
    return only;
  }

  absl::StatusOr<Condition> Not() {
    if (!Take("not")) return Primary();
    if (++nested_ > kMostNested) return Expected("less nesting");
    ASSIGN_OR_RETURN(Condition inner, Not());
    --nested_;
    return Around(Kind::kNot, std::move(inner));
  }

  static Condition Around(Kind kind, Condition inner) {
    Condition condition;
    condition.kind = kind;
    condition.conditions.push_back(std::move(inner));
    return condition;
  }

  absl::StatusOr<Condition> Primary() {
    if (Take("(")) {
      ASSIGN_OR_RETURN(Condition condition, Or());
      if (!Take(")")) return Expected("\")\"");
      return condition;
    }
    ASSIGN_OR_RETURN(const std::string name, Name());
    if (name == "known" && Take("(")) {
      ASSIGN_OR_RETURN(Condition inner, Or());
      if (!Take(")")) return Expected("\")\"");
      return Around(Kind::kKnown, std::move(inner));
    }
    if (Take("(")) return LookUp(name);
    Operand left{name, "", VersionPart::kAll};
    RETURN_IF_ERROR(Part(left));
    Condition condition;
    condition.fact = name;
    if (left.part == VersionPart::kAll) {
      if (Take("in")) {
        condition.kind = Kind::kIs;
        RETURN_IF_ERROR(List(condition.values));
        return condition;
      }
      if (Take("not in")) {
        condition.kind = Kind::kIs;
        RETURN_IF_ERROR(List(condition.values));
        return Around(Kind::kNot, std::move(condition));
      }
      if (Take("matches")) return Matches(std::move(condition));
    }
    for (const char* op : {"<=", "==", "!=", ">=", "<", ">"}) {
      if (Take(op)) return Comparison(std::move(condition), left, op);
    }
    if (left.part != VersionPart::kAll) return Expected("a comparison of versions");
    condition.kind = Kind::kPresent;
    return condition;
  }

  absl::StatusOr<Condition> Comparison(Condition condition, const Operand& left,
                                       const std::string& op) {
    ASSIGN_OR_RETURN(const Operand right, ReadOperand());
    const bool is_text = right.fact.empty() && !absl::ascii_isdigit(static_cast<unsigned char>(
                                                   right.literal.empty() ? 'x' : right.literal[0]));
    if (is_text) {
      if (op != "==" && op != "!=")
        return absl::InvalidArgumentError(
            absl::StrCat("'", right.literal, "' is no version: only == and != compare text"));
      if (left.part != VersionPart::kAll)
        return absl::InvalidArgumentError(absl::StrCat("'", right.literal, "' is no version"));
      condition.kind = Kind::kIs;
      condition.values = {right.literal};
      if (op == "!=") return Around(Kind::kNot, std::move(condition));
      return condition;
    }
    if (!right.fact.empty() && left.part != right.part) {
      return absl::InvalidArgumentError(
          absl::StrCat(left.fact, " and ", right.fact,
                       " must be compared by the same part: write .major or .minor behind both"));
    }
    condition.kind = Kind::kCompare;
    condition.op = op;
    condition.part = left.part;
    condition.other = right.fact;
    if (right.fact.empty()) condition.values = {right.literal};
    return condition;
  }

  absl::StatusOr<Condition> Matches(Condition condition) {
    ASSIGN_OR_RETURN(const std::string text, Quoted());
    ASSIGN_OR_RETURN(std::string regex, ExpandPattern(text, {}));
    if (const auto valid = ExtractAtoms(regex, true); !valid.ok())
      return absl::InvalidArgumentError(absl::StrCat("not valid RE2: ", valid.status().message()));
    condition.kind = Kind::kMatches;
    condition.values = {std::move(regex)};
    return condition;
  }

  absl::StatusOr<Condition> LookUp(const std::string& name) {
    Condition condition;
    condition.kind = Kind::kLookup;
    condition.lookup = absl::StrReplaceAll(name, {{"_", "-"}});
    do {
      ASSIGN_OR_RETURN(const Operand argument, ReadOperand());
      if (argument.part != VersionPart::kAll)
        return absl::InvalidArgumentError("an argument of a look-up has no .major or .minor");
      condition.arguments.push_back(argument.fact.empty() ? absl::StrCat("'", argument.literal, "'")
                                                          : argument.fact);
    } while (Take(","));
    if (!Take(")")) return Expected("\",\" or \")\"");
    if (!Take("==")) return Expected("== and what the look-up answers");
    ASSIGN_OR_RETURN(condition.values.emplace_back(), Quoted());
    return condition;
  }

  absl::StatusOr<Operand> ReadOperand() {
    Operand operand;
    if (!text_.empty() && (text_.front() == '\'' || text_.front() == '"')) {
      ASSIGN_OR_RETURN(operand.literal, Quoted());
      return operand;
    }
    ASSIGN_OR_RETURN(operand.fact, Name());
    RETURN_IF_ERROR(Part(operand));
    return operand;
  }

  absl::Status Part(Operand& operand) {
    if (!Take(".")) return absl::OkStatus();
    if (Take("major")) {
      operand.part = VersionPart::kMajor;
    } else if (Take("minor")) {
      operand.part = VersionPart::kMinor;
    } else {
      return Expected("major or minor");
    }
    return absl::OkStatus();
  }

  absl::Status List(std::vector<std::string>& values) {
    if (!Take("[")) return Expected("a list, ['…', '…'],");
    do {
      ASSIGN_OR_RETURN(values.emplace_back(), Quoted());
    } while (Take(","));
    return Take("]") ? absl::OkStatus() : Expected("\",\" or \"]\"");
  }

  absl::StatusOr<std::string> Name() {
    size_t size = 0;
    while (size < text_.size() && IsOfName(text_[size])) ++size;
    const std::string_view name = text_.substr(0, size);
    const bool is_word =
        name == "and" || name == "or" || name == "not" || name == "in" || name == "matches";
    if (name.empty() || is_word || !absl::ascii_islower(static_cast<unsigned char>(name.front())))
      return Expected("a fact, a look-up, not or \"(\"");
    text_.remove_prefix(size);
    SkipBlanks();
    return std::string(name);
  }

  absl::StatusOr<std::string> Quoted() {
    const char quote = text_.empty() ? 0 : text_.front();
    const size_t end =
        quote == '\'' || quote == '"' ? text_.find(quote, 1) : std::string_view::npos;
    if (end == std::string_view::npos) return Expected("a text in quotes");
    const std::string value(text_.substr(1, end - 1));
    text_.remove_prefix(end + 1);
    SkipBlanks();
    return value;
  }

  std::string_view text_;  // what is left
  int nested_ = 0;
};

}  // namespace

absl::StatusOr<std::vector<Condition>> ParseConditions(std::string_view text, size_t& at) {
  ConditionParser parser(text);
  absl::StatusOr<std::vector<Condition>> conditions = parser.Parse();
  at = text.size() - parser.left();
  return conditions;
}

}  // namespace cudadoctor
