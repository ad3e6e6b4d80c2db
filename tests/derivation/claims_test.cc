// Every claim holds, every broken assumption is noticed, and the list is the folder.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "derivation/claims/agreement.h"
#include "derivation/claims/catalogue.h"
#include "derivation/claims/dependence.h"
#include "derivation/claims/single_head.h"
#include "reference/definition/number.h"
#include "reference/input_error.h"

namespace attest::test {
namespace {

static_assert(Number<dependence>);

TEST(claims, each_holds_and_notices_each_broken_assumption) {
  for (const claim_result& r : check_claims("*")) {
    EXPECT_TRUE(r.passed()) << r.about->id << ": " << name_of(r.verdict());
    for (const negative_control& c : r.found.controls)
      EXPECT_TRUE(c.detected) << r.about->id << ": " << c.broken << ": " << c.seen;
  }
}

TEST(claims, each_that_assumes_something_has_a_negative_control) {
  for (const claim_result& r : check_claims("*"))
    EXPECT_TRUE(r.about->assumptions.empty() || !r.found.controls.empty()) << r.about->id;
}

TEST(claims, each_shows_its_evidence) {
  for (const claim_result& r : check_claims("*")) {
    EXPECT_EQ(r.about->check == nullptr, r.about->kind == evidence_kind::cited) << r.about->id;
    EXPECT_FALSE(r.about->statement.empty() || r.about->source.empty()) << r.about->id;
    EXPECT_TRUE(r.about->check == nullptr || !r.found.lines.empty()) << r.about->id;
  }
}

TEST(claims, tables_have_a_cell_for_each_column) {
  for (const claim_result& r : check_claims("*"))
    for (const evidence_table& table : r.found.tables) {
      EXPECT_LT(table.marked.value_or(0), table.rows.size()) << table.title;
      for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << table.title;
    }
}

TEST(claims, a_check_finds_the_same_each_time) {
  for (const claim* c : all_claims())
    EXPECT_EQ(check_claim(*c).found.lines, check_claim(*c).found.lines) << c->id;
}

std::set<std::string> files_in_sections() {
  std::set<std::string> names;
  for (const auto& section : std::filesystem::directory_iterator(ATTEST_CLAIMS_FOLDER)) {
    if (!section.is_directory()) continue;
    for (const auto& file : std::filesystem::directory_iterator(section.path()))
      names.insert((section.path().filename() / file.path().filename()).string());
  }
  return names;
}

TEST(claim_list, is_the_folder) {
  std::set<std::string> listed;
  for (const claim* c : all_claims())
    listed.insert(std::string(c->section) + "/" + std::string(c->id) + ".cc");
  EXPECT_EQ(listed.size(), all_claims().size());
  EXPECT_EQ(listed, files_in_sections());
}

TEST(claim_list, finds_by_id_and_by_glob_over_ids_and_sections) {
  EXPECT_EQ(find_claim("six_words").id, "six_words");
  EXPECT_EQ(matching_claims("*").size(), all_claims().size());
  EXPECT_EQ(matching_claims("s*_words").size(), 1U);
  EXPECT_GE(matching_claims("shape_and_formula/*").size(), 3U);
}

TEST(claim_list, refuses_what_it_does_not_have_and_says_what_it_has) {
  EXPECT_THROW(find_claim("seven_words"), input_error);
  EXPECT_THROW(matching_claims("seven*"), input_error);
  try {
    check_claims("");
    FAIL() << "accepted";
  } catch (const input_error& e) {
    EXPECT_NE(std::string(e.what()).find("six_words"), std::string::npos);
  }
}

claim_result made_up(bool holds, bool detected) {
  static const claim about{
      "made_up", "none", "It is so.", "", evidence_kind::exact, "here", [] { return evidence{}; }};
  return {&about, {holds, {}, {}, {{"something", "nothing", detected}}}};
}

TEST(claim_verdicts, a_check_that_does_not_notice_a_broken_assumption_is_blind) {
  EXPECT_EQ(made_up(true, true).verdict(), claim_verdict::holds);
  EXPECT_EQ(made_up(false, true).verdict(), claim_verdict::fails);
  EXPECT_EQ(made_up(true, false).verdict(), claim_verdict::blind);
  EXPECT_FALSE(made_up(true, false).passed());
}

TEST(claim_verdicts, a_claim_without_a_check_is_cited) {
  const claim about{"made_up", "none", "They say so.", "", evidence_kind::cited, "there", nullptr};
  EXPECT_EQ(check_claim(about).verdict(), claim_verdict::cited);
  EXPECT_TRUE(check_claim(about).passed());
}

TEST(agreement, counts_the_digits_that_two_numbers_share) {
  EXPECT_EQ(agreeing_digits("1", "1"), most_digits);
  EXPECT_EQ(agreeing_digits("1.00001", "1"), 5);
  EXPECT_EQ(agreeing_digits("1.00002", "1"), 4);
  EXPECT_EQ(agreeing_digits("1", "-1"), 0);
  EXPECT_EQ(agreeing_digits("1e10", "1"), 0);
  EXPECT_EQ(shared_digits("0.123446", "0.123444", 50), "0.1234");
  EXPECT_EQ(shared_digits("4", "4.0", 50), "4");
  EXPECT_EQ(shared_digits("4", "7", 50), "?");
}

TEST(dependence, remembers_labels_and_forgets_constants) {
  const dependence a(static_cast<double>(first_label)), b(static_cast<double>(first_label + 1));
  EXPECT_TRUE(dependence(3).labels().empty());
  EXPECT_EQ((b * dependence(2) + a - b).labels(),
            (std::vector<std::int64_t>{first_label, first_label + 1}));
}

TEST(single_head, refuses_matrices_that_do_not_fit) {
  EXPECT_THROW(single_head({{1, 2}}, {{1}}, {{1}}), input_error);
  EXPECT_THROW(single_head({{1}}, {{1}, {2}}, {{1}}), input_error);
  EXPECT_THROW(single_head({{1}, {1, 2}}, {{1}}, {{1}}), input_error);
  EXPECT_THROW(single_head({}, {{1}}, {{1}}), input_error);
  EXPECT_EQ(single_head({{1, 2}}, {{3, 4}, {5, 6}}, {{7}, {8}}).k.at(0, 0, 1, 0), 5);
}

}  // namespace
}  // namespace attest::test
