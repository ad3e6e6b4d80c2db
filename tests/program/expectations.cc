#include "tests/program/expectations.h"

#include <algorithm>
#include <cstdlib>

namespace attest {

void expect_bad_input(const std::vector<std::string>& words,
                      const std::vector<std::string>& parts) {
  const finished_program p = run_attest(words);
  EXPECT_EQ(p.status, 2) << line_of(words) << "\n" << p.err;
  EXPECT_EQ(p.out, "") << line_of(words);
  EXPECT_EQ(p.err.substr(0, 8), "attest: ") << line_of(words);
  EXPECT_EQ(std::count(p.err.begin(), p.err.end(), '\n'), 1) << line_of(words) << "\n" << p.err;
  for (const std::string& part : parts)
    EXPECT_NE(p.err.find(part), std::string::npos) << line_of(words) << "\nlacks: " << part << "\n"
                                                   << p.err;
}

finished_program expect_exit(int status, const std::vector<std::string>& words,
                             const std::vector<std::string>& parts) {
  const finished_program p = run_attest(words);
  EXPECT_EQ(p.status, status) << line_of(words) << "\n" << p.out << p.err;
  for (const std::string& part : parts)
    EXPECT_NE(p.out.find(part), std::string::npos) << line_of(words) << "\nlacks: " << part << "\n"
                                                   << p.out;
  return p;
}

void expect_schema(const std::string& schema, const std::string& report) {
  const std::string source = ATTEST_SOURCE_FOLDER;
  const std::string command = "/usr/bin/python3 " + source + "/tests/reports/validate_schema.py " +
                              source + "/docs/" + schema + " '" + report + "' >&2";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

}  // namespace attest
