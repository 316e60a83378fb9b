#include "host/elf_strings.h"

#include <fstream>
#include <string>

#include "gtest/gtest.h"
#include "recorded_machine.h"

namespace cudadoctor {
namespace {

TEST(ReadConstantsTest, WhateverTheFile) {
  const RecordedMachine machine("@@ folder /lib\n");
  const std::string path = machine.sources().root + "/lib/a.so";
  const std::string whole = ElfWith(std::string("one\0two\0", 8));
  const auto read = [&path](const std::string& content) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
    return ReadConstants(path);
  };
  EXPECT_EQ(read(whole), std::string("one\0two\0", 8));
  EXPECT_EQ(read(""), "");
  EXPECT_EQ(read("#!/bin/sh\n" + std::string(200, 'x')), "");
  for (size_t length = 1; length < whole.size(); ++length)
    EXPECT_EQ(read(whole.substr(0, length)), "") << length;
  // Any byte of the headers may be wrong: nothing is read outside of the file.
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = '\xff';
    EXPECT_LE(read(damaged).size(), whole.size()) << i;
  }
  EXPECT_EQ(ReadConstants(machine.sources().root + "/lib"), "");
  EXPECT_EQ(ReadConstants(machine.sources().root + "/none"), "");
}

TEST(ReadConstantsTest, OfThisProgram) {
  EXPECT_NE(ReadConstants("/proc/self/exe").find("a text that this test looks for"),
            std::string::npos);
}

}  // namespace
}  // namespace cudadoctor
