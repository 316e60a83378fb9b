#include "host/elf_strings.h"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace cudadoctor {
namespace {

constexpr uint64_t kMaxBytes = 16 << 20;

bool ReadAt(int file, uint64_t offset, void* into, uint64_t size) {
  return offset <= INT64_MAX &&
         pread(file, into, size, static_cast<off_t>(offset)) == static_cast<ssize_t>(size);
}

std::string Constants(int file) {
  Elf64_Ehdr header;
  if (!ReadAt(file, 0, &header, sizeof header) ||
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_shentsize != sizeof(Elf64_Shdr) ||
      header.e_shstrndx >= header.e_shnum)
    return "";
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  if (!ReadAt(file, header.e_shoff, sections.data(), sections.size() * sizeof(Elf64_Shdr)))
    return "";
  const Elf64_Shdr& name_section = sections[header.e_shstrndx];
  if (name_section.sh_size > kMaxBytes) return "";
  std::string names(name_section.sh_size, '\0');
  if (!ReadAt(file, name_section.sh_offset, names.data(), names.size())) return "";
  std::string constants;
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_name >= names.size() || section.sh_type != SHT_PROGBITS) continue;
    const std::string_view name = names.c_str() + section.sh_name;
    if (name != ".rodata" && !name.starts_with(".rodata.")) continue;
    const size_t before = constants.size();
    if (section.sh_size > kMaxBytes - before) continue;
    constants.resize(before + section.sh_size);
    if (!ReadAt(file, section.sh_offset, constants.data() + before, section.sh_size))
      constants.resize(before);
  }
  return constants;
}

}  // namespace

std::string ReadConstants(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return "";
  std::string constants = Constants(file);
  close(file);
  return constants;
}

}  // namespace cudadoctor
