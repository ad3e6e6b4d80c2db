// What the tests of the program expect again and again.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/program/finished_program.h"

namespace attest {

// The words in one line, for the messages of tests.
inline std::string line_of(const std::vector<std::string>& words) {
  std::string line = "attest";
  for (const std::string& word : words) line += " '" + word + "'";
  return line;
}

// Exit code 2, nothing on stdout, one line on stderr that begins "attest: " and holds every given
// part.
void expect_bad_input(const std::vector<std::string>& words, const std::vector<std::string>& parts);

// The exit code, and every part on stdout.
finished_program expect_exit(int status, const std::vector<std::string>& words,
                             const std::vector<std::string>& parts = {});

// The report is valid by the schema of that name in docs/, and the schema refuses defects of it.
void expect_schema(const std::string& schema, const std::string& report);

}  // namespace attest
