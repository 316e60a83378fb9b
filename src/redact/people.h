// redact/people.h: who built: names of people in what is made for others.
#ifndef CUDADOCTOR_REDACT_PEOPLE_H_
#define CUDADOCTOR_REDACT_PEOPLE_H_

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cudadoctor {

enum class PersonKind {
  kHome,            // a whole home folder: /home/alice
  kAccount,         // an account's name: alice of /gpfs/home/alice, of alice@host:~$, of USER=alice
  kWindowsAccount,  // the same in C:\Users, seen from WSL
  kEmail,           // alice@example.org
  kHost,            // a server or a share of \\server\share
};

// Where `text` names a person. Half-open bytes.
struct Person {
  PersonKind kind = PersonKind::kAccount;
  size_t begin = 0;
  size_t end = 0;
  size_t name = 0;      // where the name alone begins: behind /home/ of a home folder
  size_t name_end = 0;  // before the @ of an e-mail address
};

// In the order of the text, without overlap: home folders (redact/home_folders.h), e-mail
// addresses, prompts, ssh NAME@, the user of a URL, ~NAME, USER=NAME, what sudo, id, pytest and
// torch.compile name after a person, UNC paths. Roles of machines and images are nobody's name.
std::vector<Person> FindPeople(std::string_view text);

// Gives each person and each host of several texts a name of its own, the same everywhere: user1,
// user2, host1. Not thread-safe.
class Pseudonyms {
 public:
  // Takes in who `text` names, so that the name is known where it stands alone, too.
  void Learn(std::string_view text);

  // `text` with pseudonyms; what it names is learned. `column` (1-based, 0 for none) moves with the
  // byte that it names.
  std::string Hide(std::string_view text, int* column = nullptr);

  // Where `text` names a person or a person who is known by name alone, as FindPeople.
  std::vector<Person> Find(std::string_view text) const;

  // That of a name, given when it is first asked for.
  std::string Of(PersonKind kind, std::string_view name);

 private:
  std::map<std::string, std::string, std::less<>> names_;
  int people_ = 0;
  int hosts_ = 0;
};

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REDACT_PEOPLE_H_
