#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "tests/reports/sample_reports.h"

namespace attest {
namespace {

std::string page_of(const report& r) {
  std::ostringstream out;
  write_text(out, r);
  return out.str();
}

std::string last_line(const std::string& page) {
  return page.substr(page.rfind('\n', page.size() - 2) + 1);
}

TEST(text_report, the_last_line_is_the_verdict_and_the_exit_code) {
  EXPECT_EQ(
      last_line(page_of(failing_report())),
      "failed: 4 of 6 properties (2 violated, 1 improbable, 1 crashed); exit code 1: failure\n");
  EXPECT_EQ(last_line(page_of(passing_report())), "all 2 properties hold; exit code 0: pass\n");
  EXPECT_EQ(last_line(page_of(open_report())),
            "interrupted: nothing failed as far as the run went; exit code 3: neither pass nor "
            "failure\n");
}

TEST(text_report, lines_fit_100_columns_but_for_what_is_to_be_copied) {
  for (const report& r : {failing_report(), passing_report(), open_report()}) {
    std::istringstream lines(page_of(r));
    for (std::string line; std::getline(lines, line);) {
      const bool copied = line.find("attest replay") != std::string::npos;
      EXPECT_TRUE(copied || line.size() <= 100) << line;
    }
  }
}

TEST(text_report, no_foreign_text_reaches_the_terminal_unescaped) {
  for (char c : page_of(failing_report()))
    EXPECT_TRUE(c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F)) << int{c};
}

TEST(text_report, numbers_that_nearly_agree_are_told_apart) {
  report r = failing_report();
  r.result.groups.erase(r.result.groups.begin() + 1);  // lse comes first now
  EXPECT_NE(page_of(r).find("observed  0.33333337\n  expected  0.33333334\n"), std::string::npos)
      << page_of(r);
}

}  // namespace
}  // namespace attest
