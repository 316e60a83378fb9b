#include "text/dress.h"

#include <array>

namespace cudadoctor {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsNameChar(char c) {
  return IsDigit(c) || IsUpper(c) || (c >= 'a' && c <= 'z') || c == '_' || c == '-' || c == '.';
}

// A position in a line that advances over what it recognises. Every method says whether it did.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  bool Char(char c) { return Advance(!text_.empty() && text_.front() == c, 1); }
  bool Literal(std::string_view word) {
    return Advance(text_.substr(0, word.size()) == word, word.size());
  }
  bool Digits(size_t at_least, size_t at_most) {
    const size_t n = Count(IsDigit);
    return Advance(n >= at_least && n <= at_most, n);
  }
  bool Name() {
    const size_t n = Count(IsNameChar);
    return Advance(n > 0, n);
  }
  bool Until(char c) {
    const size_t found = text_.find(c);
    return Advance(found != std::string_view::npos, found + 1);
  }
  bool Blanks() {
    const size_t n = Count([](char c) { return c == ' '; });
    return Advance(n > 0, n);
  }
  // A blank that ends the dress, or the end of a line whose text is empty.
  bool Gap() { return text_.empty() || Char(' ') || Char('\t'); }
  std::string_view rest() const { return text_; }

 private:
  template <typename Predicate>
  size_t Count(Predicate predicate) const {
    size_t n = 0;
    while (n < text_.size() && predicate(text_[n])) ++n;
    return n;
  }
  bool Advance(bool fits, size_t n) {
    if (fits) text_.remove_prefix(n);
    return fits;
  }

  std::string_view text_;
};

bool Clock(Cursor& at) {
  if (!at.Digits(2, 2) || !at.Char(':') || !at.Digits(2, 2) || !at.Char(':') || !at.Digits(2, 2))
    return false;
  if (at.Char('.') || at.Char(',')) return at.Digits(1, 9);
  return true;
}

bool Date(Cursor& at) {
  return at.Digits(4, 4) && at.Char('-') && at.Digits(2, 2) && at.Char('-') && at.Digits(2, 2);
}

bool IsoTime(Cursor& at) {
  if (!Date(at) || !at.Char('T') || !Clock(at)) return false;
  if (at.Char('Z')) return true;
  return (at.Char('+') || at.Char('-')) && at.Digits(2, 4) && (!at.Char(':') || at.Digits(2, 2));
}

// Each of these removes one dress from `line`, or returns false and leaves it alone.
using Remover = bool (*)(std::string_view& line, Dress& dress);

bool RemoveIsoTime(std::string_view& line, Dress& dress) {
  Cursor at(line);
  if (!IsoTime(at) || !at.Gap()) return false;
  Cursor gitlab = at;  // "01O " and "00E+": stream number, out or err, a continuation mark
  if (gitlab.Digits(2, 2) && (gitlab.Char('O') || gitlab.Char('E')) &&
      (gitlab.Char('+') || gitlab.Gap()))
    at = gitlab;
  dress.is_foreign = true;
  line = at.rest();
  return true;
}

bool RemoveBracketedTime(std::string_view& line, Dress& dress) {
  Cursor at(line);
  if (!at.Char('[') || !Date(at) || !(at.Char('T') || at.Char(' ') || at.Char(',')) ||
      !at.Until(']') || !at.Gap())
    return false;
  Cursor airflow = at;  // "{subprocess.py:93} INFO - "
  if (airflow.Char('{') && airflow.Until('}') && airflow.Char(' ') && airflow.Name() &&
      airflow.Literal(" - "))
    at = airflow;
  dress.is_foreign = true;
  line = at.rest();
  return true;
}

bool RemoveGhColumns(std::string_view& line, Dress& dress) {
  Cursor at(line);
  if (!at.Until('\t') || !at.Until('\t')) return false;
  std::string_view rest = at.rest();
  if (!RemoveIsoTime(rest, dress)) return false;
  line = rest;
  return true;
}

bool RemoveJenkinsClock(std::string_view& line, Dress& dress) {
  Cursor at(line);
  if (!Clock(at) || !at.Literal("  ")) return false;
  dress.is_foreign = true;
  line = at.rest();
  return true;
}

bool RemoveBuildKit(std::string_view& line, Dress& dress) {
  Cursor at(line);
  if (!at.Char('#')) return false;
  const std::string_view number = at.rest();
  if (!at.Digits(1, 5)) return false;
  const std::string_view id = number.substr(0, number.size() - at.rest().size());
  if (!at.Char(' ')) return false;
  dress.stream = "docker:" + std::string(id);
  Cursor time = at;
  if (!time.Digits(1, 6) || !time.Char('.') || !time.Digits(1, 3) || !time.Gap())
    return false;  // "#14 [2/5] RUN": text
  line = time.rest();
  return true;
}

// The lines of BuildKit's summary begin with seconds of four significant digits: "4.410 ", "140.7
// ".
bool RemoveBuildKitSeconds(std::string_view& line, Dress& /*dress*/) {
  Cursor at(line);
  const size_t before = at.rest().size();
  if (!at.Digits(1, 5) || !at.Char('.') || !at.Digits(1, 3)) return false;
  const size_t digits = before - at.rest().size() - 1;
  if (digits < 4 || !at.Gap()) return false;
  line = at.rest();
  return true;
}

bool RemoveComposeName(std::string_view& line, Dress& /*dress*/) {
  Cursor at(line);
  const std::string_view name = at.rest();
  if (!at.Name()) return false;
  const char last = name[name.size() - at.rest().size() - 1];
  if (!IsDigit(last) || !at.Blanks() || !at.Literal("|") || !at.Gap()) return false;
  line = at.rest();
  return true;
}

bool RemoveKubectlName(std::string_view& line, Dress& dress) {
  Cursor at(line);
  if (!at.Literal("[pod/") || !at.Until(']') || !at.Gap()) return false;
  dress.is_foreign = true;
  line = at.rest();
  return true;
}

bool RemoveSyslog(std::string_view& line, Dress& /*dress*/) {
  static constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  Cursor at(line);
  if (line.size() < 16 || !IsUpper(line[0]) || kMonths.find(line.substr(0, 3)) % 3 != 0)
    return false;
  if (!at.Name() || !at.Blanks() || !at.Digits(1, 2) || !at.Blanks() || !Clock(at) || !at.Char(' '))
    return false;
  if (!at.Name() || !at.Char(' ')) return false;  // the host
  if (!at.Name()) return false;                   // the program
  if (at.Char('[') && !at.Until(']')) return false;
  if (!at.Char(':') || !at.Gap()) return false;
  line = at.rest();
  return true;
}

bool RemoveKernelClock(std::string_view& line, Dress& /*dress*/) {
  Cursor at(line);
  if (!at.Char('[')) return false;
  at.Blanks();
  if (!at.Digits(1, 9) || !at.Char('.') || !at.Digits(6, 6) || !at.Char(']') || !at.Gap())
    return false;
  line = at.rest();
  return true;
}

bool RemoveProcessName(std::string_view& line, Dress& dress) {
  Cursor at(line);
  if (!at.Char('(')) return false;
  const size_t pid = line.find("pid=");
  const size_t end = line.find(')');
  if (pid == std::string_view::npos || end == std::string_view::npos || pid > end || end > 120)
    return false;
  Cursor number(line.substr(pid + 4));
  const size_t before = number.rest().size();
  if (!number.Digits(1, 9)) return false;
  dress.stream = "pid:" + std::string(line.substr(pid + 4, before - number.rest().size()));
  line.remove_prefix(end + 1);
  if (!line.empty() && line.front() == ' ') line.remove_prefix(1);
  return true;
}

bool RemoveRank(std::string_view& line, Dress& /*dress*/) {
  Cursor at(line);
  if (!at.Char('[')) return false;
  Cursor mpi = at;
  if (mpi.Digits(1, 5) && mpi.Char(',') && mpi.Digits(1, 5) && mpi.Literal("]<std") &&
      mpi.Until(':')) {
    line = mpi.rest();
    return true;
  }
  if (!(at.Literal("rank") || at.Literal("default")) || !at.Digits(1, 5) || !at.Literal("]:"))
    return false;
  at.Char(' ');
  line = at.rest();
  return true;
}

bool RemoveVllmLogger(std::string_view& line, Dress& /*dress*/) {
  Cursor at(line);
  if (!(at.Literal("DEBUG") || at.Literal("INFO") || at.Literal("WARNING") || at.Literal("ERROR") ||
        at.Literal("CRITICAL")))
    return false;
  if (!at.Char(' ') || !at.Digits(2, 2) || !at.Char('-') || !at.Digits(2, 2) || !at.Char(' ') ||
      !Clock(at) || !at.Char(' '))
    return false;
  at.Char('[');
  if (!at.Name() || !at.Char(':') || !at.Digits(1, 6) || !at.Char(']') || !at.Gap()) return false;
  line = at.rest();
  return true;
}

bool RemoveUvDebug(std::string_view& line, Dress& /*dress*/) {
  Cursor at(line);
  Cursor time = at;
  time.Blanks();
  if (time.Digits(1, 6) && time.Char('.') && time.Digits(1, 6) && time.Char('s') && time.Blanks()) {
    Cursor span = time;
    if (span.Digits(1, 9) && span.Literal("ms") && span.Blanks()) time = span;
    at = time;
  }
  if (!(at.Literal("DEBUG") || at.Literal("TRACE")) || !at.Gap()) return false;
  line = at.rest();
  return true;
}

bool RemoveBuildkiteMark(std::string_view& line, Dress& dress) {
  Cursor at(line);
  if (!at.Literal("_bk;t=") || !at.Digits(10, 16)) return false;
  at.Char('\a');
  dress.is_foreign = true;
  line = at.rest();
  return true;
}

// "==> amazon-ebs.gpu: " of Packer, "null_resource.gpu (remote-exec): " of Terraform.
bool RemoveProvisionerName(std::string_view& line, Dress& dress) {
  Cursor at(line);
  at.Blanks();
  const bool is_heading = at.Literal("==> ");
  const std::string_view name = at.rest();
  if (!at.Name()) return false;
  const std::string_view word = name.substr(0, name.size() - at.rest().size());
  const bool is_terraform = at.Literal(" (remote-exec)") || at.Literal(" (local-exec)");
  bool is_packer = is_heading;
  for (const std::string_view builder :
       {"amazon-", "googlecompute", "azure-arm", "docker.", "qemu.", "virtualbox-", "vmware-",
        "openstack.", "proxmox", "lxd.", "null."}) {
    is_packer = is_packer || word.substr(0, builder.size()) == builder;
  }
  if (!(is_terraform || is_packer) || !at.Char(':') || !at.Gap()) return false;
  dress.is_foreign = true;
  line = at.rest();
  return true;
}

constexpr std::array<Remover, 15> kRemovers = {
    RemoveIsoTime,    RemoveBracketedTime,   RemoveGhColumns,       RemoveJenkinsClock,
    RemoveBuildKit,   RemoveBuildKitSeconds, RemoveComposeName,     RemoveKubectlName,
    RemoveSyslog,     RemoveKernelClock,     RemoveProcessName,     RemoveRank,
    RemoveVllmLogger, RemoveUvDebug,         RemoveProvisionerName,
};

}  // namespace

Dress RemoveDress(std::string_view& line) {
  constexpr int kMaxNesting = 5;
  Dress dress;
  RemoveBuildkiteMark(line, dress);
  for (int i = 0; i < kMaxNesting; ++i) {
    bool removed = false;
    for (const Remover remove : kRemovers) removed = removed || remove(line, dress);
    if (!removed) break;
  }
  return dress;
}

}  // namespace cudadoctor
