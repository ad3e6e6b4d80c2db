#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "reference/input_error.h"
#include "tests/reports/sample_reports.h"

namespace attest {
namespace {

std::string written_to(const std::string& name) {
  const std::string path = testing::TempDir() + name;
  write_report_file(path, passing_report());
  std::ifstream in(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(in), {});
  std::filesystem::remove(path);
  return text;
}

template <class Write>
std::string text_by(const Write& write) {
  std::ostringstream out;
  write(out, passing_report());
  return out.str();
}

TEST(report_file, the_ending_chooses_the_format) {
  EXPECT_EQ(written_to("attest_report.json"), text_by(write_json));
  EXPECT_EQ(written_to("attest_report.xml"), text_by(write_junit));
  EXPECT_EQ(written_to("attest_report.html"), text_by(write_html));
  EXPECT_EQ(written_to("attest_report.md"), text_by(write_markdown));
}

TEST(report_file, another_ending_is_refused_by_name) {
  for (const char* path : {"report.txt", "report", ".json", "report.json.gz", ""}) {
    try {
      write_report_file(path, passing_report());
      ADD_FAILURE() << path;
    } catch (const input_error& e) {
      EXPECT_NE(std::string(e.what()).find(".json, .xml, .html or .md"), std::string::npos)
          << e.what();
    }
  }
}

TEST(report_file, a_file_that_cannot_be_written_is_an_input_error) {
  EXPECT_THROW(write_report_file("/nowhere/at/all/report.json", passing_report()), input_error);
  EXPECT_THROW(write_report_file("/dev/full/x.json", passing_report()), input_error);
}

}  // namespace
}  // namespace attest
