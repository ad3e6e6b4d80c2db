// What `attest derive` shows: the verdicts, the evidence, and nothing that a page must fetch.
#include "reports/derivation_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "derivation/claims/catalogue.h"
#include "reference/input_error.h"

namespace attest::test {
namespace {

using results = std::vector<claim_result>;
using writer = void (*)(std::ostream&, std::span<const claim_result>);

constexpr writer writers[] = {write_derivation_text, write_derivation_markdown,
                              write_derivation_json, write_derivation_html};

std::string written(writer write, const results& found) {
  std::ostringstream out;
  write(out, found);
  return out.str();
}

bool has(const std::string& page, std::string_view words) {
  return page.find(words) != std::string::npos;
}

const results& real() {
  static const results found = check_claims("*");
  return found;
}

evidence evidence_of_all_parts(bool holds, bool detected) {
  evidence e;
  e.holds = holds;
  e.lines = {"a < b & c"};
  e.tables = {{"T <i>", {"x|y", "z"}, {{"r*", "0.250"}, {"s", "?"}}, true, 1}};
  e.controls = {{"it is broken", "it shows", detected}};
  return e;
}

// A failing, a blind and a cited claim, with characters that each format must escape.
results made_up() {
  static const claim fails{
      "falls_short", "first_part", "1 < 0.", "a & b", evidence_kind::exact, "here", [] {
        return evidence{};
      }};
  static const claim blind{
      "sees_nothing",           "first_part", "Yes.", "", evidence_kind::rigorous, "here",
      [] { return evidence{}; }};
  static const claim cited{"is_said", "second_part", "They say.", "", evidence_kind::cited,
                           "there",   nullptr};
  return {{&fails, evidence_of_all_parts(false, true)},
          {&blind, evidence_of_all_parts(true, false)},
          {&cited, {}}};
}

TEST(derivation_headline, counts_what_holds_and_names_what_does_not) {
  const results found = made_up();
  EXPECT_EQ(derivation_headline(found), "2 of 2 claims do not hold: falls_short, sees_nothing");
  EXPECT_EQ(derivation_headline({&found[2], 1}), "1 claim cited, none checked");
  EXPECT_EQ(derivation_headline(real()), "all " + std::to_string(real().size()) + " claims hold");
  EXPECT_FALSE(all_passed(found));
  EXPECT_TRUE(all_passed(real()));
}

TEST(derivation_report, shows_each_claim_and_the_headline_in_every_format) {
  for (const writer write : writers) {
    const std::string page = written(write, real());
    for (const claim_result& r : real()) EXPECT_TRUE(has(page, "holds")) << r.about->id;
    EXPECT_TRUE(has(page, "claims hold"));
    EXPECT_TRUE(has(page, "0.231"));  // the first weight of six_words
    EXPECT_TRUE(
        has(page, "2.60380843232358331333473519852875653752835693"));  // the cell of one_cell
  }
}

TEST(derivation_report, is_the_same_each_time) {
  for (const writer write : writers)
    EXPECT_EQ(written(write, real()), written(write, check_claims("*")));
}

TEST(derivation_text, says_when_a_broken_assumption_went_unnoticed) {
  const std::string page = written(write_derivation_text, made_up());
  EXPECT_TRUE(has(page, "fails  falls_short (exact)"));
  EXPECT_TRUE(has(page, "blind  sees_nothing (rigorous)"));
  EXPECT_TRUE(has(page, "cited  is_said (cited)"));
  EXPECT_TRUE(has(page, "broken on purpose, NOT NOTICED: it is broken: it shows"));
  EXPECT_TRUE(has(page, "    > s    ?"));
}

TEST(derivation_text, keeps_within_100_columns) {
  std::istringstream page(written(write_derivation_text, real()));
  for (std::string line; std::getline(page, line);) EXPECT_LE(line.size(), 100U) << line;
}

TEST(derivation_markdown, escapes_its_own_characters) {
  const std::string page = written(write_derivation_markdown, made_up());
  EXPECT_TRUE(has(page, "| x\\|y | z |\n| --- | --- |\n| r\\* | 0.250 |"));
  EXPECT_TRUE(has(page, "## First part\n"));
  EXPECT_TRUE(has(page, "- **not noticed**: it is broken: it shows"));
}

TEST(derivation_json, holds_all_that_was_found) {
  const auto page = nlohmann::json::parse(written(write_derivation_json, made_up()));
  EXPECT_EQ(page["passed"], false);
  EXPECT_EQ(page["checked"], 2);
  const auto& first = page["claims"][0];
  EXPECT_EQ(first["id"], "falls_short");
  EXPECT_EQ(first["verdict"], "fails");
  EXPECT_EQ(first["lines"][0], "a < b & c");
  EXPECT_EQ(first["tables"][0]["rows"][0][1], "0.250");
  EXPECT_EQ(first["tables"][0]["marked"], 1);
  EXPECT_EQ(page["claims"][1]["controls"][0]["detected"], false);
  EXPECT_EQ(page["claims"][2]["verdict"], "cited");
}

TEST(derivation_html, escapes_what_it_shows) {
  const std::string page = written(write_derivation_html, made_up());
  EXPECT_TRUE(has(page, "A &lt; b &amp; c"));
  EXPECT_TRUE(has(page, "T &lt;i&gt;"));
  EXPECT_FALSE(has(page, "<i>"));
}

TEST(derivation_html, shades_weights_and_leaves_what_is_no_number) {
  const std::string page = written(write_derivation_html, made_up());
  EXPECT_TRUE(has(page, "<td class=heat style=\"--w:0.250\">0.250</td>"));
  EXPECT_TRUE(has(page, "<td class=heat>?</td>"));
}

TEST(derivation_html, links_the_contents_to_each_claim) {
  const std::string page = written(write_derivation_html, real());
  for (const claim_result& r : real()) {
    const std::string id(r.about->id);
    EXPECT_TRUE(has(page, "href=\"#" + id + "\""));
    EXPECT_TRUE(has(page, "<article id=\"" + id + "\">"));
  }
}

TEST(derivation_html, fetches_nothing) {
  const std::string page = written(write_derivation_html, real());
  for (const char* fetching : {"http:", "https:", "src=", "<script", "<link", "url("})
    EXPECT_FALSE(has(page, fetching)) << fetching;
}

TEST(derivation_file, refuses_an_ending_that_it_does_not_write) {
  EXPECT_THROW(write_derivation_file("derivation.pdf", real()), input_error);
  EXPECT_THROW(write_derivation_file("/nowhere/derivation.html", real()), input_error);
}

}  // namespace
}  // namespace attest::test
