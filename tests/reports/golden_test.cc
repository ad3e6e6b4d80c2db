#include "tests/reports/golden.h"

#include <locale>
#include <sstream>

#include "tests/reports/sample_reports.h"

namespace attest {
namespace {

using writer = void (*)(std::ostream&, const report&);

struct golden_case {
  const char* name;
  writer write;
  report (*make)();
};

constexpr golden_case cases[] = {
    {"failing.json", write_json, failing_report},   {"passing.json", write_json, passing_report},
    {"open.json", write_json, open_report},         {"failing.xml", write_junit, failing_report},
    {"passing.xml", write_junit, passing_report},   {"open.xml", write_junit, open_report},
    {"failing.html", write_html, failing_report},   {"passing.html", write_html, passing_report},
    {"open.html", write_html, open_report},         {"failing.txt", write_text, failing_report},
    {"passing.txt", write_text, passing_report},    {"open.txt", write_text, open_report},
    {"failing.md", write_markdown, failing_report}, {"passing.md", write_markdown, passing_report},
    {"open.md", write_markdown, open_report},
};

std::string written(const golden_case& c) {
  std::ostringstream out;
  c.write(out, c.make());
  return out.str();
}

TEST(golden, a_report_has_the_bytes_that_were_accepted) {
  for (const golden_case& c : cases) EXPECT_TRUE(is_golden(c.name, written(c)));
}

// Groups digits and writes a decimal comma, as a program that embeds attest may have set it.
class foreign_punctuation : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(golden, a_report_does_not_depend_on_the_locale) {
  const std::locale before =
      std::locale::global(std::locale(std::locale(), new foreign_punctuation));
  std::vector<std::string> texts;
  for (const golden_case& c : cases) texts.push_back(written(c));
  std::locale::global(before);
  for (std::size_t n = 0; n < texts.size(); ++n)
    EXPECT_EQ(texts[n], written(cases[n])) << cases[n].name;
}

}  // namespace
}  // namespace attest
