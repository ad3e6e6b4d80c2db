#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/reports/sample_reports.h"

namespace attest {
namespace {

std::string page_of(const report& r) {
  std::ostringstream out;
  write_html(out, r);
  return out.str();
}

bool contains(const std::string& page, std::string_view part) {
  return page.find(part) != std::string::npos;
}

// Names of elements in order, "/" before those that close.
std::vector<std::string> tags_of(const std::string& page) {
  std::vector<std::string> tags;
  for (std::size_t at = 0; (at = page.find('<', at)) != std::string::npos; ++at)
    tags.push_back(page.substr(at + 1, page.find_first_of(" >", at) - at - 1));
  return tags;
}

bool is_void(const std::string& tag) { return tag == "!doctype" || tag == "meta" || tag == "wbr"; }

TEST(html_report, hostile_text_is_shown_and_never_markup) {
  const std::string page = page_of(failing_report());
  for (const char* raw : {"<script", "<img", "<b>", "</pre><img", "<constant>", "<above>", "<&>",
                          "\x1b", "\x01", "\x07", "\xff", "\xE2\x80\xAE"})
    EXPECT_FALSE(contains(page, raw)) << raw;
  EXPECT_TRUE(
      contains(page, "&lt;script&gt;alert(&#39;name&#39;)&lt;/script&gt; &amp; &quot;co&quot;"));
}

TEST(html_report, every_element_that_opens_closes_in_order) {
  for (const report& r : {failing_report(), passing_report(), open_report()}) {
    std::vector<std::string> open;
    for (const std::string& tag : tags_of(page_of(r))) {
      if (is_void(tag)) continue;
      if (tag[0] != '/') {
        open.push_back(tag);
        continue;
      }
      ASSERT_FALSE(open.empty());
      EXPECT_EQ("/" + open.back(), tag);
      open.pop_back();
    }
    EXPECT_TRUE(open.empty());
  }
}

TEST(html_report, refers_to_nothing_outside_itself) {
  for (const report& r : {failing_report(), passing_report(), open_report()}) {
    const std::string page = page_of(r);
    for (const char* reference :
         {"http:", "https:", "src=\"", "url(", "@import", "<link", "href=\"/"})
      EXPECT_FALSE(contains(page, reference)) << reference;
  }
}

TEST(html_report, links_lead_to_counterexamples_that_are_there) {
  const std::string page = page_of(failing_report());
  const std::string link = "href=\"#";
  int links = 0;
  for (std::size_t at = 0; (at = page.find(link, at)) != std::string::npos; ++links) {
    at += link.size();
    const std::string id = page.substr(at, page.find('"', at) - at);
    EXPECT_TRUE(contains(page, "id=\"" + id + "\"")) << id;
  }
  EXPECT_EQ(links, 7);
}

TEST(html_report, the_verdict_is_told_in_words) {
  EXPECT_TRUE(contains(page_of(failing_report()),
                       "Failed: 4 of 6 properties <span class=detail>(2 violated, 1 improbable, 1 "
                       "crashed)</span></h1>"));
  EXPECT_TRUE(contains(page_of(passing_report()), "All 2 properties hold</h1>"));
  EXPECT_TRUE(
      contains(page_of(open_report()), "Interrupted: nothing failed as far as the run went</h1>"));
}

TEST(html_report, features_that_are_not_declared_are_listed) {
  const std::string page = page_of(failing_report());
  EXPECT_TRUE(contains(page, "Not declared, not judged"));
  EXPECT_TRUE(contains(page, "<strong>sink</strong> (required)"));
}

}  // namespace
}  // namespace attest
