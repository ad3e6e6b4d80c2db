#include <gtest/gtest.h>

#include <pugixml.hpp>
#include <sstream>

#include "tests/reports/sample_reports.h"

namespace attest {
namespace {

pugi::xml_document parsed(const report& r) {
  std::ostringstream out;
  write_junit(out, r);
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_string(out.str().c_str());
  EXPECT_TRUE(result) << result.description();
  return document;
}

int count_of(const pugi::xml_node& from, const char* path) {
  return static_cast<int>(from.select_nodes(path).size());
}

void expect_true_counts(const pugi::xml_node& node) {
  EXPECT_EQ(node.attribute("tests").as_int(), count_of(node, ".//testcase"));
  EXPECT_EQ(node.attribute("failures").as_int(), count_of(node, ".//failure"));
}

TEST(junit_report, counts_what_it_lists) {
  for (const report& r : {failing_report(), passing_report(), open_report()}) {
    const pugi::xml_document document = parsed(r);
    expect_true_counts(document.child("testsuites"));
    for (const pugi::xml_node& suite : document.child("testsuites")) {
      expect_true_counts(suite);
      EXPECT_EQ(suite.attribute("skipped").as_int(), count_of(suite, ".//skipped"));
    }
  }
}

TEST(junit_report, a_suite_is_a_property_and_a_case_a_group) {
  const pugi::xml_document document = parsed(failing_report());
  const pugi::xml_node suites = document.child("testsuites");
  EXPECT_EQ(count_of(suites, "testsuite[@name='matches_definition']/testcase"), 4);
  EXPECT_EQ(
      count_of(suites, "testsuite[@name='matches_definition']/testcase/failure[@type='violated']"),
      3);
  EXPECT_EQ(count_of(suites, "//failure"), 7);
}

TEST(junit_report, what_was_not_judged_is_skipped_and_never_a_pass) {
  const pugi::xml_document failing = parsed(failing_report());
  EXPECT_EQ(count_of(failing, "//testsuite[@name='shift_invariance']/testcase/skipped"), 2);
  EXPECT_EQ(count_of(failing, "//testsuite[@name='not_judged']/testcase/skipped"), 3);
  const pugi::xml_document open = parsed(open_report());
  EXPECT_EQ(count_of(open, "//testsuite[@name='not_judged']/testcase/skipped"), 3);
  EXPECT_EQ(count_of(open, "//testsuite[@name='rows_sum_to_1']/testcase/skipped"), 1);
}

TEST(junit_report, a_failure_tells_what_was_seen_and_how_to_see_it_again) {
  const pugi::xml_document document = parsed(failing_report());
  const std::string text =
      document.select_node("//testcase[@name='causal_top_left']/failure").node().text().as_string();
  for (const char* part :
       {"observed 0.7311", "expected 0.5", "ratio    1.94e+06", "attest replay $'it\\'s"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

TEST(junit_report, times_and_hosts_are_left_out_of_a_reproducible_report) {
  EXPECT_EQ(count_of(parsed(failing_report()), "//@time | //@timestamp | //@hostname"), 0);
  EXPECT_EQ(count_of(parsed(passing_report()), "//testsuite[@timestamp='2026-11-29T10:20:30']"), 2);
}

TEST(junit_report, holds_no_character_that_xml_forbids) {
  std::ostringstream out;
  write_junit(out, failing_report());
  const std::string page = out.str();
  for (char c : page) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << int{c};
  for (std::size_t at = 0; (at = page.find("&#", at)) != std::string::npos; ++at)
    EXPECT_EQ(page.substr(at, 5), "&#10;") << page.substr(at, 8);
}

}  // namespace
}  // namespace attest
