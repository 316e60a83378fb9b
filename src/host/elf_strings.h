// host/elf_strings.h: texts that lie in a library, read without loading it.
#ifndef CUDADOCTOR_HOST_ELF_STRINGS_H_
#define CUDADOCTOR_HOST_ELF_STRINGS_H_

#include <string>

namespace cudadoctor {

// The sections .rodata and .rodata.* of a 64-bit little-endian ELF file, where its string constants
// lie, each ended by a NUL; sections beyond 16 MiB in all are left out. Empty when the file is
// none.
std::string ReadConstants(const std::string& path);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_HOST_ELF_STRINGS_H_
