// The power table on a few mutants and their controls.
#include "properties/peers/power.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "reports/power_report.h"
#include "tests/properties/gate.h"

namespace attest {
namespace {

using names = std::vector<std::string>;

subject_openers openers(std::string_view folder, const names& plugins) {
  subject_openers list;
  for (const std::string& name : plugins)
    list.push_back([=] { return open_subject(plugin_address(folder, name)); });
  return list;
}

const power_row& row_of(const power_table& t, std::string_view rule) {
  return *std::find_if(t.peers.begin(), t.peers.end(),
                       [&](const power_row& row) { return row.name == rule; });
}

std::string json_of(const power_table& t) {
  std::ostringstream out;
  write_power_json(out, t);
  return out.str();
}

TEST(power, of_attest_is_complete_and_that_of_others_is_not) {
  const names plugins{"return_zeros", "split_remainder"};
  std::vector<std::int64_t> told;
  const power_table t = compare_power(openers("mutants", plugins), openers("controls", plugins),
                                      {1, 2, "matches_definition"}, [&](auto done, auto of) {
                                        told.insert(told.end(), {done, of});
                                        return true;
                                      });
  EXPECT_EQ(told, (std::vector<std::int64_t>{1, 4, 2, 4, 3, 4, 4, 4}));
  EXPECT_EQ(t.wrong, (names{"return-zeros", "split-remainder"}));
  EXPECT_EQ(t.right, t.wrong) << "controls have the names of their mutants";

  EXPECT_EQ(t.attest.missed, names());
  EXPECT_EQ(t.attest.rejected, names());
  EXPECT_EQ(t.not_judged, names());
  EXPECT_EQ(t.bound.on_drawn.missed, names());
  EXPECT_EQ(t.bound.on_drawn.rejected, names());

  EXPECT_EQ(row_of(t, "assert-close").on_usual.missed, names());
  for (const char* rule : {"ggml", "cosine"})
    EXPECT_EQ(row_of(t, rule).on_usual.missed, names{"split-remainder"})
        << rule << ": 3 of 203 keys are a small share of the whole";
  for (const char* rule : {"kernelbench", "triton-tutorial", "gpuemu-calibrated"})
    EXPECT_EQ(row_of(t, rule).on_drawn.rejected, t.right)
        << rule << ": a fixed tolerance is too small for large values";
}

TEST(power, that_is_interrupted_keeps_what_was_tried) {
  const names plugins{"return_zeros"};
  const power_table t =
      compare_power(openers("mutants", plugins), openers("controls", plugins),
                    {1, 2, "rows_sum_to_1"}, [](auto, auto) { return false; });
  EXPECT_TRUE(t.interrupted);
  EXPECT_EQ(t.wrong, names{"return-zeros"});
  EXPECT_EQ(t.right, names());
  std::ostringstream text;
  write_power_text(text, t);
  EXPECT_NE(text.str().find("interrupted: these were tried"), std::string::npos);
  EXPECT_NE(json_of(t).find("\"interrupted\": true"), std::string::npos);
}

TEST(power, report_folds_what_is_long_and_keeps_all_of_it_in_json) {
  power_table t;
  t.settings = {1, 2, "*"};
  t.wrong = {"a", "b", "c", "d", "e", "f", "g"};
  t.peers = {{"some-rule", "always", "nowhere", {t.wrong, {}}, {{"a"}, {"r"}}}};
  t.bound.name = "derived-bound";
  t.right = t.not_judged = {"r"};
  std::ostringstream text;
  write_power_text(text, t);
  for (const char* part :
       {"7 wrong subjects, 1 right one, seed 1, 2 usual problems for each subject\n",
        "| some-rule | 7 | 0 | 1 | 1 |\n", "| attest | - | - | 0 | 0 |\n",
        "  some-rule, usual problems: a, b, c, d, e and 2 more\n",
        "  some-rule, attest's problems: a\n",
        "rejected: right, and not accepted on every problem\n  some-rule, attest's problems: r\n",
        "judged too little to pass them\n  attest: r\n"})
    EXPECT_NE(text.str().find(part), std::string::npos) << part << " in\n" << text.str();
  EXPECT_NE(json_of(t).find("\"g\""), std::string::npos);
}

}  // namespace
}  // namespace attest
