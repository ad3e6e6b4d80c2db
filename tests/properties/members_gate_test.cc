// The gate on plugins of other members of the family: each control holds, each mutant is caught.
#include "tests/properties/members_gate.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "properties/subject.h"
#include "reference/input_error.h"
#include "tests/properties/family_table.h"

namespace attest {
namespace {

class member_plugin : public testing::TestWithParam<std::string> {};

TEST_P(member_plugin, holds_without_its_bug) {
  const run_result r = run_member("controls", GetParam(), "weights_match_definition", default_seed);
  EXPECT_EQ(r.outcome(), verdict::holds) << member_findings(r);
}

TEST_P(member_plugin, is_caught_with_its_bug) {
  const run_result r = run_member("mutants", GetParam(), "weights_match_definition", default_seed);
  EXPECT_EQ(r.outcome(), verdict::violated) << member_findings(r);
}

// A sample for the short tests; members_gate_long_test.cc has no part left out.
std::vector<std::string> one_in_seven() {
  const std::vector<std::string> all = member_plugins();
  std::vector<std::string> sample;
  for (std::size_t i = 2; i < all.size(); i += 7) sample.push_back(all[i]);
  return sample;
}

INSTANTIATE_TEST_SUITE_P(some, member_plugin, testing::ValuesIn(one_in_seven()),
                         [](const auto& each) { return each.param; });

// ---- The table of the docs ----

std::string tables_of_the_docs() {
  return "\n" + family_table() + "\n## Features\n\n" + feature_table();
}

TEST(family_table, stands_in_the_docs_without_an_empty_cell) {
  const std::string tables = tables_of_the_docs();
  EXPECT_EQ(tables.find("|  |"), std::string::npos);
  const std::string path = ATTEST_SOURCE_FOLDER "/docs/family.md";
  std::stringstream held;
  held << std::ifstream(path).rdbuf();
  const std::string text = held.str(), mark = "renews it -->\n";
  const std::size_t begin = text.find(mark) + mark.size();
  if (std::getenv("ATTEST_ACCEPT_GOLDEN") != nullptr)
    std::ofstream(path) << text.substr(0, begin) << tables;
  else
    EXPECT_EQ(text.substr(begin), tables);
}

// ---- Built-in backends ----

declarations of_profile(const std::string& profile) {
  declarations d;
  d.profile = profile;
  return d;
}

TEST(builtin_member, holds_where_the_definition_is_evaluated) {
  for (const char* member :
       {"attest,scorer=mlp,normalizer=alpha_entmax", "attest,scorer=additive,normalizer=sparsemax",
        "attest,scorer=cosine,normalizer=relu_ratio"}) {
    run_options options;
    options.properties = matching_properties("linear_in_values");
    const run_result r =
        run_properties(*open_subject("builtin:float32", of_profile(member)), options, {});
    EXPECT_EQ(r.outcome(), verdict::holds) << member << member_findings(r);
  }
}

TEST(builtin_member, is_declined_by_stages_that_do_not_compute_it) {
  for (const char* name : {"builtin:fp16", "builtin:float32/online=16", "builtin:bf16-eager"})
    EXPECT_THROW(open_subject(name, of_profile("attest,normalizer=sparsemax")), input_error);
  EXPECT_NO_THROW(open_subject("builtin:fp16", of_profile("attest,scorer=dot")));
}

TEST(builtin_member, is_asked_neither_sink_nor_lse_beside_another_normalizer) {
  const auto s = open_subject("builtin:float64", of_profile("attest,normalizer=uniform"));
  EXPECT_FALSE(s->info().features.has(feature::sink));
  EXPECT_FALSE(s->info().features.has(feature::lse));
}

}  // namespace
}  // namespace attest
