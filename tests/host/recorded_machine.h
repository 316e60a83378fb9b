// host/recorded_machine.h: a machine that was written down, as a folder that stands for its /.
#ifndef CUDADOCTOR_TESTS_HOST_RECORDED_MACHINE_H_
#define CUDADOCTOR_TESTS_HOST_RECORDED_MACHINE_H_

#include <elf.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "host/host_sources.h"
#include "model/fact.h"
#include "source_tree.h"

namespace cudadoctor {

// A 64-bit ELF file whose .rodata is `constants`.
inline std::string ElfWith(const std::string& constants) {
  const std::string names("\0.rodata\0.shstrtab\0", 19);
  Elf64_Ehdr header = {};
  std::copy_n(ELFMAG, SELFMAG, header.e_ident);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 3;
  header.e_shstrndx = 2;
  header.e_shoff = sizeof header + constants.size() + names.size();
  Elf64_Shdr sections[3] = {};
  sections[1].sh_name = 1;
  sections[1].sh_type = SHT_PROGBITS;
  sections[1].sh_offset = sizeof header;
  sections[1].sh_size = constants.size();
  sections[2].sh_name = 9;
  sections[2].sh_type = SHT_STRTAB;
  sections[2].sh_offset = sizeof header + constants.size();
  sections[2].sh_size = names.size();
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + constants + names +
         std::string(reinterpret_cast<const char*>(sections), sizeof sections);
}

// The text form: lines of directives, some followed by lines of content.
//
//   @@ file PATH            @@ program PATH (executable)   @@ folder PATH
//   @@ link PATH TARGET     @@ constants PATH: a library with these lines as constants
//   @@ process PID PARENT GROUP NAME KIB [ARGUMENT…]       @@ env NAME=VALUE
//   @@ machine NAME         @@ cpus N         @@ user ID   @@ cwd PATH
//   @@ free GIB (of every folder)
//   @@ run STATUS PROGRAM [ARGUMENT…]: what it prints; STATUS "stuck" never answers
//   @@ facts: "NAME VALUE | AT" of each fact that is expected
class RecordedMachine {
 public:
  explicit RecordedMachine(const std::string& text) {
    std::string pattern = (std::filesystem::temp_directory_path() / "cudadoctor-XXXXXX").string();
    sources_.root = mkdtemp(pattern.data());
    sources_.machine = "x86_64";
    sources_.working_folder = "/";
    sources_.user = 1000;
    std::vector<std::string> directive;
    std::string content;
    for (const absl::string_view line : absl::StrSplit(text, '\n')) {
      if (absl::StartsWith(line, "@@ ")) {
        Take(directive, content);
        directive = absl::StrSplit(line.substr(3), ' ');
        content.clear();
      } else {
        absl::StrAppend(&content, line, "\n");
      }
    }
    // The last line ends the file, not the content.
    if (!content.empty()) content.pop_back();
    Take(directive, content);
    sources_.environment = [environment = environment_](const std::string& name) {
      const auto found = environment.find(name);
      return found == environment.end() ? std::string() : found->second;
    };
    sources_.run = [programs = programs_](const std::vector<std::string>& arguments,
                                          std::chrono::milliseconds) {
      const auto found = programs.find(absl::StrJoin(arguments, " "));
      return found == programs.end() ? ProgramResult() : found->second;
    };
    sources_.free_bytes = [this](const std::string&) { return free_bytes_; };
  }
  ~RecordedMachine() { std::filesystem::remove_all(sources_.root); }
  RecordedMachine(const RecordedMachine&) = delete;
  RecordedMachine& operator=(const RecordedMachine&) = delete;

  const HostSources& sources() const { return sources_; }
  const std::vector<std::string>& expected() const { return expected_; }
  const std::vector<std::string>& mistakes() const { return mistakes_; }

 private:
  std::string Place(const std::string& path) {
    const std::string real = sources_.root + path;
    std::filesystem::create_directories(std::filesystem::path(real).parent_path());
    return real;
  }

  void Write(const std::string& path, const std::string& content) {
    std::ofstream(Place(path), std::ios::binary) << content;
  }

  void Take(const std::vector<std::string>& directive, const std::string& content) {
    if (directive.empty()) return;  // what stands before the first is comment
    const std::string& kind = directive[0];
    const std::string rest = absl::StrJoin(directive.begin() + 1, directive.end(), " ");
    if (kind == "file") {
      Write(rest, content);
    } else if (kind == "program") {
      Write(rest, content);
      std::filesystem::permissions(Place(rest), std::filesystem::perms::owner_all);
    } else if (kind == "folder") {
      std::filesystem::create_directories(Place(rest));
    } else if (kind == "link" && directive.size() == 3) {
      std::filesystem::create_symlink(directive[2], Place(directive[1]));
    } else if (kind == "constants") {
      std::string constants = content;
      std::replace(constants.begin(), constants.end(), '\n', '\0');
      Write(rest, ElfWith(constants));
    } else if (kind == "process" && directive.size() >= 6) {
      AddProcess(directive);
    } else if (kind == "env") {
      const std::pair<std::string, std::string> parts =
          absl::StrSplit(rest, absl::MaxSplits('=', 1));
      environment_.insert(parts);
    } else if (kind == "machine") {
      sources_.machine = rest;
    } else if (kind == "cpus" && absl::SimpleAtoi(rest, &sources_.cpus)) {
    } else if (kind == "user" && absl::SimpleAtoi(rest, &sources_.user)) {
    } else if (kind == "cwd") {
      sources_.working_folder = rest;
    } else if (kind == "free" && absl::SimpleAtoi(rest, &free_gib_)) {
      free_bytes_ = free_gib_ << 30;
    } else if (kind == "run" && directive.size() >= 3) {
      ProgramResult result;
      result.end = ProgramResult::End::kExited;
      if (!absl::SimpleAtoi(directive[1], &result.status))
        result.end = ProgramResult::End::kNoAnswer;
      result.output = content;
      programs_[absl::StrJoin(directive.begin() + 2, directive.end(), " ")] = result;
    } else if (kind == "facts") {
      expected_ = absl::StrSplit(content, '\n', absl::SkipWhitespace());
    } else {
      mistakes_.push_back(absl::StrJoin(directive, " "));
    }
  }

  void AddProcess(const std::vector<std::string>& words) {
    const std::string folder = absl::StrCat("/proc/", words[1]);
    Write(folder + "/stat", absl::StrCat(words[1], " (", words[4], ") S ", words[2], " ", words[3],
                                         " 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 4711 0 0\n"));
    Write(folder + "/status",
          absl::StrCat("Uid:\t1000\t1000\t1000\t1000\nVmRSS:\t", words[5], " kB\n"));
    std::string command_line;
    for (size_t i = 6; i < words.size(); ++i) command_line += words[i] + '\0';
    Write(folder + "/cmdline", command_line);
  }

  HostSources sources_;
  std::map<std::string, std::string> environment_;
  std::map<std::string, ProgramResult> programs_;
  std::vector<std::string> expected_;
  std::vector<std::string> mistakes_;
  int64_t free_gib_ = 0;
  std::optional<int64_t> free_bytes_;
};

// "NAME VALUE | AT"
inline std::vector<std::string> Listed(const std::vector<Fact>& facts) {
  std::vector<std::string> lines;
  for (const Fact& fact : facts) {
    std::string line = absl::StrCat(fact.name, " ", fact.value);
    if (!fact.at.empty()) absl::StrAppend(&line, " | ", fact.at);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace cudadoctor

#endif  // CUDADOCTOR_TESTS_HOST_RECORDED_MACHINE_H_
