#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/reports/sample_reports.h"

namespace attest {
namespace {

using nlohmann::json;

json parsed(const report& r) {
  std::ostringstream out;
  write_json(out, r);
  return json::parse(out.str());
}

const json& counterexample_of(const json& page, std::size_t property, std::size_t group) {
  return page["properties"][property]["groups"][group]["counterexample"];
}

TEST(json_report, states_the_verdict_and_the_exit_code) {
  EXPECT_EQ(parsed(failing_report())["verdict"], "crashed");
  EXPECT_EQ(parsed(failing_report())["exit_code"], 1);
  EXPECT_EQ(parsed(passing_report())["exit_code"], 0);
  EXPECT_EQ(parsed(open_report())["exit_code"], 3);
}

TEST(json_report, doubles_read_back_exactly_and_infinities_are_words) {
  const json page = parsed(failing_report());
  EXPECT_EQ(counterexample_of(page, 0, 1)["observed"].get<double>(), 0.73105857863000490);
  EXPECT_EQ(counterexample_of(page, 0, 3)["observed"], "nan");
  EXPECT_EQ(counterexample_of(page, 1, 0)["ratio"], "inf");
}

TEST(json_report, a_seed_of_64_bits_survives) {
  EXPECT_EQ(parsed(passing_report())["seed"].get<std::uint64_t>(), 18446744073709551615u);
}

TEST(json_report, stray_bytes_become_the_replacement_character) {
  EXPECT_EQ(parsed(failing_report())["subject"]["address"],
            "it's \"x\" & <b>.so:\x1b[2J\xEF\xBF\xBD");
}

TEST(json_report, problems_parse_back) {
  for (const json& p : parsed(failing_report())["properties"])
    for (const json& g : p["groups"])
      if (g.contains("counterexample")) {
        const std::string line = g["counterexample"]["problem"];
        EXPECT_EQ(to_line(parse_problem_line(line)), line);
      }
}

TEST(json_report, a_group_without_a_judged_problem_does_not_hold) {
  const json group = parsed(open_report())["properties"][1]["groups"][0];
  EXPECT_EQ(group["judged_problems"], 0);
  EXPECT_EQ(group["verdict"], "undecided");
}

TEST(json_report, a_property_of_which_nothing_was_drawn_is_named) {
  EXPECT_EQ(parsed(open_report())["not_run"], json::array({"masked_keys_weigh_0"}));
}

TEST(json_report, says_which_contract_was_used_and_whether_it_was_declared) {
  const json contracts = parsed(failing_report())["subject"]["contracts"];
  EXPECT_EQ(contracts[0]["name"], "float32");
  EXPECT_EQ(contracts[0]["origin"], "default");
  EXPECT_EQ(contracts[1]["name"], "fp16-eager");
  EXPECT_EQ(contracts[1]["origin"], "declared");
}

TEST(json_report, only_a_report_with_a_run_block_has_one) {
  EXPECT_TRUE(parsed(passing_report()).contains("run"));
  EXPECT_FALSE(parsed(failing_report()).contains("run"));
}

}  // namespace
}  // namespace attest
