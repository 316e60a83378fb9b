#include "remedy/script.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/ascii.h"

namespace cudadoctor {
namespace {

bool IsOfName(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_'; }

class ScriptReader {
 public:
  explicit ScriptReader(std::string_view text) : text_(text) {}

  std::optional<std::vector<SimpleCommand>> Read() {
    std::vector<SimpleCommand> commands;
    SimpleCommand command;
    while (true) {
      SkipBlanks();
      const bool is_end = text_.empty();
      if (is_end || Take("&&") || Take("\n")) {
        if (!command.words.empty() || !command.env.empty()) commands.push_back(std::move(command));
        command = SimpleCommand();
        if (is_end) return commands;
        continue;
      }
      if (const bool appends = Take(">>"); appends || Take(">")) {
        command.appends = appends;
        SkipBlanks();
        command.output = ReadWord();
        if (!command.output.has_value()) return std::nullopt;
        continue;
      }
      std::optional<Word> word = ReadWord();
      if (!word.has_value()) return std::nullopt;
      if (command.words.empty() && AddAssignment(*word, command.env)) continue;
      command.words.push_back(*std::move(word));
    }
  }

 private:
  bool Take(std::string_view token) {
    if (text_.substr(0, token.size()) != token) return false;
    text_.remove_prefix(token.size());
    return true;
  }

  void SkipBlanks() {
    while (Take(" ") || Take("\\\n")) {
    }
  }

  static bool AddAssignment(const Word& word, std::vector<std::pair<std::string, Word>>& env) {
    if (word.pieces.empty() || word.pieces[0].is_variable) return false;
    const std::string& text = word.pieces[0].text;
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 ||
        !std::all_of(text.begin(), text.begin() + static_cast<long>(equals), IsOfName))
      return false;
    Word value = word;
    value.pieces[0].text = text.substr(equals + 1);
    if (value.pieces[0].text.empty()) value.pieces.erase(value.pieces.begin());
    env.emplace_back(text.substr(0, equals), std::move(value));
    return true;
  }

  static void AddText(std::string_view text, Word& word) {
    if (word.pieces.empty() || word.pieces.back().is_variable) word.pieces.push_back({});
    word.pieces.back().text.append(text);
  }

  // A variable behind its dollar; nothing for a substitution.
  bool ReadVariable(Word& word) {
    const bool has_brace = Take("{");
    size_t size = 0;
    while (size < text_.size() && IsOfName(text_[size])) ++size;
    if (size == 0) return false;
    word.pieces.push_back({std::string(text_.substr(0, size)), true});
    text_.remove_prefix(size);
    return !has_brace || Take("}");
  }

  std::optional<Word> ReadWord() {
    Word word;
    bool is_empty = true;
    while (!text_.empty()) {
      const char c = text_.front();
      if (c == ' ' || c == '\n' || c == '>' || text_.substr(0, 2) == "&&" ||
          text_.substr(0, 2) == "\\\n")
        break;
      is_empty = false;
      text_.remove_prefix(1);
      if (c == '\'') {
        const size_t close = text_.find('\'');
        if (close == std::string_view::npos) return std::nullopt;
        AddText(text_.substr(0, close), word);
        text_.remove_prefix(close + 1);
      } else if (c == '"') {
        AddText("", word);
        while (!text_.empty() && text_.front() != '"') {
          if (text_.front() == '`') return std::nullopt;
          if (Take("$")) {
            if (!ReadVariable(word)) return std::nullopt;
          } else {
            AddText(text_.substr(0, 1), word);
            text_.remove_prefix(1);
          }
        }
        if (!Take("\"")) return std::nullopt;
      } else if (c == '$') {
        if (!ReadVariable(word)) return std::nullopt;
      } else if (c == '\\' && !text_.empty()) {
        AddText(text_.substr(0, 1), word);
        text_.remove_prefix(1);
      } else if (c == '~' && word.pieces.empty() &&
                 (text_.empty() || text_.front() == '/' || text_.front() == ' ')) {
        word.pieces.push_back({"HOME", true});
      } else if (std::string_view("|&;<()`#").find(c) != std::string_view::npos) {
        return std::nullopt;
      } else {
        AddText(std::string_view(&c, 1), word);
      }
    }
    if (is_empty) return std::nullopt;
    return word;
  }

  std::string_view text_;
};

}  // namespace

std::optional<std::vector<SimpleCommand>> ReadScript(std::string_view text) {
  return ScriptReader(text).Read();
}

}  // namespace cudadoctor
