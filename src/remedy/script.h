// remedy/script.h: the commands of a rule, taken apart.
#ifndef CUDADOCTOR_REMEDY_SCRIPT_H_
#define CUDADOCTOR_REMEDY_SCRIPT_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cudadoctor {

// A part of a word: text, or a variable's name.
struct Piece {
  std::string text;
  bool is_variable = false;
};

struct Word {
  std::vector<Piece> pieces;

  // The word where it holds no variable.
  std::string Text() const {
    return pieces.size() == 1 && !pieces[0].is_variable ? pieces[0].text : "";
  }
};

// A command without pipes, with assignments in front of it or not, and at most an output file.
struct SimpleCommand {
  std::vector<std::pair<std::string, Word>> env;
  std::vector<Word> words;
  std::optional<Word> output;
  bool appends = false;

  std::string program() const { return words.empty() ? "" : words[0].Text(); }
};

// Reads commands of a POSIX shell that && or a new line joins. Nothing for what holds more than
// words, quotes, variables, assignments and an output file: pipes, substitutions, loops.
std::optional<std::vector<SimpleCommand>> ReadScript(std::string_view text);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REMEDY_SCRIPT_H_
