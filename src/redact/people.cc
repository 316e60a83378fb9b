#include "redact/people.h"

#include <algorithm>
#include <array>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/views.h"
#include "redact/expression.h"
#include "redact/home_folders.h"

namespace cudadoctor {
namespace {

using People = std::vector<Person>;

// Bytes before an address that are looked at, so that a line of nothing but addresses takes no
// quadratic time.
constexpr size_t kMaxBefore = 300;

// A name that stands alone is known only from so many letters on.
constexpr size_t kShortestWord = 4;

bool IsWordByte(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
}

void FindEmails(std::string_view text, People& people) {
  // Two letters are a country, or the end of a file's name; longer ends are the common ones, since
  // x@y.transpose is no address.
  static const Expression kEmail(
      R"re((?:^|[^\w.+%/@*-])([A-Za-z0-9][\w.+%-]*)@((?:[A-Za-z0-9-]+\.)+)re"
      R"re((?:com|org|net|edu|gov|mil|int|info|biz|dev|app|tech|cloud|online|xyz|email|name|science|local|internal|corp|lan|test|example|[a-z]{2})))re"
      R"re((\.?[\w(@-]|:[^\s]|/|$|.))re");
  static const Expression kNot(R"re((?s)(?:\d+|v\d+)\..*|.*\.(?:py|so|js|ts|gz|xz|hh|cu|md))re");
  kEmail.ForEachMatch(text, [&](const auto& groups) {
    const std::string_view next = groups[3];
    const bool goes_on =
        next.size() > 1 || next == "(" || next == "@" || next == "-" || next == "/" ||
        (!next.empty() && absl::ascii_isalnum(static_cast<unsigned char>(next[0])));
    const std::string_view user = groups[1];
    std::string_view before = text.substr(0, Begin(text, user));
    before.remove_prefix(before.size() - std::min(before.size(), kMaxBefore));
    const size_t word = before.find_last_of(" \t") + 1;
    const bool is_in_url = before.find("://", word) != std::string_view::npos;
    if (!goes_on && !is_in_url && user != "git" && user != "hg" && user != "svn" &&
        !kNot.MatchesWhole(groups[2])) {
      people.push_back({PersonKind::kEmail, Begin(text, user), End(text, groups[2]),
                        Begin(text, user), End(text, user)});
    }
    return End(text, groups[2]);
  });
}

// Accounts where a prompt, a command or a program names them.
void FindAccounts(std::string_view text, People& people) {
  static const Expression kAccount(
      R"re((?:^|[\s(])\[?([A-Za-z_][\w.-]{0,31})@[\w.-]+(?::[^\s$#%>]*|\s+[^\s@\]]+\]?)?\s?[$#%>](?:\s|$))re"  // prompts
      R"re(|\b(?:ssh|scp|sftp|rsync|mosh|sshfs)\s(?:[^|;&]*?\s)?([A-Za-z_][\w.-]*)@[\w.-])re"
      R"re(|\b(?:ssh|sftp|https?|ftp)://([A-Za-z_][\w.-]*)(?::[*]{3,})?@)re"
      R"re(|(?:^|[\s"'=:(])~([A-Za-z_][\w.-]*)[/"':]|\b(?:cd|ls|cp|mv|cat|pushd) ~([A-Za-z_][\w.-]*)(?:\s|$))re"
      R"re(|\b(?:(?:[A-Z]+_)*USER|LOGNAME|USERNAME|GITHUB_ACTOR|GITLAB_USER_LOGIN|GIT_AUTHOR_NAME|GIT_COMMITTER_NAME|UserName|UserId)["']?\s?[=:]\s?["']?([A-Za-z_][\w.-]*))re"
      R"re(|\[sudo\] password for ([A-Za-z_][\w.-]*)|\b[ug]id=\d+\(([A-Za-z_][\w.-]*)\))re"
      R"re(|\bssh (?:[^|;&]*\s)?-l ?([A-Za-z_][\w.-]*)|\(([A-Za-z_][\w.-]*)\xe3\x89\xbf|\\home\\([A-Za-z_][\w.-]*)|/var/tmp/([a-z][a-z0-9]{2,})(?:/|$))re"
      R"re(|[/\\](?:pytest-of-|torchinductor_|triton-|jax-|matplotlib-|pymp-|ssh-|tmux-|hsperfdata_|ray-)([A-Za-z_][\w.-]*))re");
  static const Expression kRandom(R"re([a-z0-9_]{8}|.*\d{4,}.*|[A-Za-z]{10,})re");  // mkdtemp
  kAccount.ForEachMatch(text, [&](const auto& groups) {
    for (size_t i = 1; i < groups.size(); ++i) {
      if (groups[i].empty()) continue;
      std::string_view name = groups[i];
      while (name.ends_with('.')) name.remove_suffix(1);
      const bool is_random = i + 1 == groups.size() && kRandom.MatchesWhole(name) &&
                             text.find("pytest-of-") == std::string_view::npos &&
                             text.find("torchinductor_") == std::string_view::npos;
      if (!IsSharedAccount(name) && !is_random)
        people.push_back({PersonKind::kAccount, Begin(text, name), End(text, name),
                          Begin(text, name), End(text, name)});
      return End(text, name);
    }
    return End(text, groups[0]);
  });
}

// \\server\share, also with each backslash doubled, and //server/share of CIFS mounts.
void FindShares(std::string_view text, People& people) {
  static const Expression kShare(
      R"re((?:^|[\s"'=(,])(?:\\\\|\\\\\\\\)([A-Za-z0-9][\w.-]+)\\{1,2}([\w$.-]+)(?:\\{1,2}([\w.-]+)\\)?)re");
  static const Expression kOfPeople(R"re((?i)home\$?|homes|users?\$?|profiles?\$?|userdata)re");
  kShare.ForEachMatch(text, [&](const auto& groups) {
    const bool is_device =
        groups[1] == "wsl.localhost" || groups[1] == "wsl$" || groups[1].size() < 2;
    if (is_device) return End(text, groups[1]);
    const auto add = [&](PersonKind kind, std::string_view part) {
      people.push_back(
          {kind, Begin(text, part), End(text, part), Begin(text, part), End(text, part)});
    };
    add(PersonKind::kHost, groups[1]);
    const bool is_of_people = kOfPeople.MatchesWhole(groups[2]);
    if (!is_of_people) add(PersonKind::kHost, groups[2]);
    if (is_of_people && !groups[3].empty() && !IsSharedAccount(groups[3]))
      add(PersonKind::kAccount, groups[3]);
    return End(text, groups[2]);
  });
}

void Sort(People& people) {
  std::stable_sort(people.begin(), people.end(),
                   [](const Person& a, const Person& b) { return a.begin < b.begin; });
  People apart;
  for (const Person& person : people) {
    if (apart.empty() || person.begin >= apart.back().end) apart.push_back(person);
  }
  people = std::move(apart);
}

// Names that say something else where they stand alone.
bool IsCommonWord(std::string_view name) {
  static constexpr std::array<std::string_view, 34> kWords = {
      "torch",  "python",  "cuda",       "conda",    "build",   "test",  "data",
      "nvidia", "local",   "source",     "cache",    "linux",   "error", "model",
      "models", "package", "project",    "research", "work",    "temp",  "main",
      "core",   "client",  "server",     "system",   "student", "staff", "guest",
      "demo",   "pytorch", "tensorflow", "vllm",     "flash",   "triton"};
  const std::string lower = absl::AsciiStrToLower(Absl(name));
  return name.size() < kShortestWord ||
         std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

}  // namespace

std::vector<Person> FindPeople(std::string_view text) {
  People people;
  if (text.find_first_of("/\\") != std::string_view::npos) {
    for (const HomeFolder& home : FindHomeFolders(text)) {
      people.push_back({home.is_whole        ? PersonKind::kHome
                        : home.is_of_windows ? PersonKind::kWindowsAccount
                                             : PersonKind::kAccount,
                        home.begin, home.end, home.name, home.end});
    }
  }
  if (text.find("tmp/") != std::string_view::npos || text.find('\\') != std::string_view::npos ||
      text.find(" -l") != std::string_view::npos ||
      text.find_first_of("@~=:(") != std::string_view::npos ||
      text.find("-of-") != std::string_view::npos ||
      text.find("[sudo]") != std::string_view::npos ||
      text.find("torchinductor_") != std::string_view::npos)
    FindAccounts(text, people);
  if (text.find('@') != std::string_view::npos) FindEmails(text, people);
  if (text.find("\\\\") != std::string_view::npos) FindShares(text, people);
  Sort(people);
  return people;
}

std::string Pseudonyms::Of(PersonKind kind, std::string_view name) {
  const std::string lower = absl::AsciiStrToLower(Absl(name));
  const auto known = names_.find(lower);
  if (known != names_.end()) return known->second;
  std::string given =
      kind == PersonKind::kHost ? absl::StrCat("host", ++hosts_) : absl::StrCat("user", ++people_);
  return names_.emplace(lower, std::move(given)).first->second;
}

void Pseudonyms::Learn(std::string_view text) {
  for (const Person& person : FindPeople(text))
    Of(person.kind, text.substr(person.name, person.name_end - person.name));
}

std::vector<Person> Pseudonyms::Find(std::string_view text) const {
  People people = FindPeople(text);
  if (names_.empty()) return people;
  for (size_t at = 0; at < text.size();) {
    if (!IsWordByte(text[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < text.size() &&
           (IsWordByte(text[end]) ||
            (text[end] == '.' && end + 1 < text.size() && IsWordByte(text[end + 1]))))
      ++end;
    const std::string_view word = text.substr(at, end - at);
    if (!IsCommonWord(word) && names_.contains(absl::AsciiStrToLower(Absl(word))))
      people.push_back({PersonKind::kAccount, at, end, at, end});
    at = end;
  }
  Sort(people);
  return people;
}

std::string Pseudonyms::Hide(std::string_view text, int* column) {
  Learn(text);
  std::string hidden;
  size_t done = 0;
  const auto at =
      column == nullptr || *column < 1 ? std::string_view::npos : static_cast<size_t>(*column - 1);
  for (const Person& person : Find(text)) {
    absl::StrAppend(&hidden, Absl(text.substr(done, person.name - done)));
    if (at >= person.begin && at < person.end) *column = static_cast<int>(hidden.size()) + 1;
    absl::StrAppend(&hidden,
                    Of(person.kind, text.substr(person.name, person.name_end - person.name)));
    if (person.kind == PersonKind::kEmail) absl::StrAppend(&hidden, "@***");
    done = person.end;
    if (at != std::string_view::npos && at >= done)
      *column = static_cast<int>(hidden.size() + (at - done)) + 1;
  }
  return absl::StrCat(hidden, Absl(text.substr(done)));
}

}  // namespace cudadoctor
