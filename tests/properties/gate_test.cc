// The gate as a whole: what is right passes, what is wrong is caught and shown by a small problem.
#include "tests/properties/gate.h"

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "reference/backends/backend.h"
#include "reports/report.h"

namespace attest {
namespace {

class gate : public testing::TestWithParam<std::string> {};

std::string name_of_parameter(const testing::TestParamInfo<std::string>& info) {
  return test_name(info.param);
}

// A sample for the short tests; gate_long_test.cc has no part left out.
std::vector<std::string> one_in(std::size_t n, const std::vector<std::string>& names) {
  std::vector<std::string> sample;
  for (std::size_t i = 0; i < names.size(); i += n) sample.push_back(names[i]);
  return sample;
}

// Fewer of those that matches_definition is to tell apart, which asks most.
std::vector<std::string> quick_sample(const std::vector<std::string>& names) {
  std::vector<std::string> quick, slow;
  for (const std::string& name : names)
    (law_for(name) == "matches_definition" ? slow : quick).push_back(name);
  std::vector<std::string> sample = one_in(8, quick);
  for (const std::string& name : one_in(320, slow)) sample.push_back(name);
  return sample;
}

// ---- What is right ----

class subject_plugin : public gate {};

// One by every law; gate_long_test.cc runs every law on all.
TEST_P(subject_plugin, holds) {
  const std::string_view laws = GetParam() == "online" ? "*" : "masked*";
  const run_result r = run_gate(plugin_address("subjects", GetParam()), {.properties = laws});
  EXPECT_EQ(r.exit_code(), 0) << findings(r);
}

INSTANTIATE_TEST_SUITE_P(every, subject_plugin, testing::ValuesIn(plugins_in("subjects")),
                         name_of_parameter);

// Kernels in other orders and forms; gate_long_test.cc runs every law on them.
class equivalent_plugin : public gate {};

TEST_P(equivalent_plugin, holds) {
  const run_result r =
      run_gate(plugin_address("equivalents", GetParam()), {.properties = "weights_match*"});
  EXPECT_EQ(r.exit_code(), 0) << findings(r);
}

INSTANTIATE_TEST_SUITE_P(every, equivalent_plugin,
                         testing::ValuesIn(one_in(6, plugins_in("equivalents"))),
                         name_of_parameter);

// The twins of the mutants without their bug; gate_long_test.cc runs every law on them.
class control_plugin : public gate {};

TEST_P(control_plugin, holds_where_its_mutant_is_caught) {
  const run_result r =
      run_gate(plugin_address("controls", GetParam()), {.properties = law_for(GetParam())});
  EXPECT_EQ(r.outcome(), verdict::holds) << findings(r);
}

INSTANTIATE_TEST_SUITE_P(every, control_plugin,
                         testing::ValuesIn(quick_sample(plugins_in("controls"))),
                         name_of_parameter);

std::vector<std::string> backend_names() { return {all_backends().begin(), all_backends().end()}; }

// gate_long_test.cc runs every law on all of them, and `bootstrap test` on one.
class builtin_subject_of_the_list : public gate {};

TEST_P(builtin_subject_of_the_list, holds) {
  const run_result r = run_gate("builtin:" + GetParam(), {.properties = "shift_invariance"});
  EXPECT_EQ(r.outcome(), verdict::holds) << findings(r);
}

INSTANTIATE_TEST_SUITE_P(every, builtin_subject_of_the_list,
                         testing::ValuesIn(one_in(4, backend_names())), name_of_parameter);

// ---- What is wrong ----

// Bugs of tiles, of long sums, of large calls, or that only the laws on many queries see.
bool needs_large_problems(const std::string& name) {
  static const std::set<std::string> names{"acc_fp16_overflow",
                                           "dot_by_squares",
                                           "log2e_of_four_digits",
                                           "workspace_race",
                                           "diagonal_tile_skipped",
                                           "equal_values_shortcut",
                                           "finfo_min_plus_score",
                                           "first_tile_empty",
                                           "fp8_p_underflow",
                                           "greatest_64_only",
                                           "halfsum_denominator",
                                           "int32_offset",
                                           "keys_beyond_4096",
                                           "bf16_truncate",
                                           "bf16_weights_truncated",
                                           "lazy_rescale_of_sums",
                                           "lse_before_last_tile",
                                           "dropout_renormalised",
                                           "page_and_slot_swapped",
                                           "partials_rounded",
                                           "seventeenth_split",
                                           "sink_per_tile",
                                           "small_weights_dropped",
                                           "tie_of_tiles",
                                           "mask_sliced_by_window",
                                           "maximum_of_first_tile",
                                           "minimum_for_negative_scale",
                                           "score_clamped",
                                           "wrong_mask_int_overflow",
                                           "approximates_large_calls",
                                           "approximates_a_million_scores",
                                           "heads_in_16_bits",
                                           "bf16_sums_of_wide_values",
                                           "bias_of_first_tile",
                                           "causal_tile_of_64_full",
                                           "default_scale_in_splits",
                                           "halves_of_wide_heads_overlap",
                                           "heads_beyond_16",
                                           "large_calls_in_tf32",
                                           "last_key_of_long_square",
                                           "length_in_8_bits",
                                           "lse_of_second_query_tile",
                                           "position_in_8_bits",
                                           "products_beyond_32_columns",
                                           "query_alone_in_its_tile",
                                           "split_drafts_see_all",
                                           "splits_of_whole_tiles",
                                           "splits_without_sink",
                                           "value_columns_beyond_64",
                                           "wide_window_ignored",
                                           "width_64_without_cap",
                                           "group_of_four_at_most",
                                           "group_rounded_to_power_of_two",
                                           "lengths_of_four_rows",
                                           "bias_of_four_batch_rows",
                                           "inference_of_whole_tiles"};
  return names.contains(name);
}

// Some are caught by how they behave, not by what they answer; some by the mean of many answers,
// each of which the bounds let pass.
verdict expected_outcome(const std::string& name) {
  static const std::map<std::string, verdict> outcomes{
      {"mutate_inputs", verdict::misbehaved},
      {"reuse_reference_memory", verdict::misbehaved},
      {"zero_len_seq", verdict::misbehaved},
      {"lse_written_unasked", verdict::crashed},
      {"bf16_weights_truncated", verdict::improbable}};
  const auto found = outcomes.find(name);
  return found == outcomes.end() ? verdict::violated : found->second;
}

bool is_small(const problem_spec& spec) { return spec.dims.queries <= 5 && spec.dims.keys <= 5; }

// The counterexamples that were made smaller: the first of each law.
std::vector<const counterexample*> shown(const run_result& r) {
  std::vector<const counterexample*> list;
  const property* last = nullptr;
  for (const group_result& g : r.groups) {
    if (g.failure && g.law != last) list.push_back(&*g.failure);
    if (g.failure) last = g.law;
  }
  return list;
}

class mutant_plugin : public gate {};

TEST_P(mutant_plugin, is_caught_and_shown_by_a_small_problem_that_replays) {
  const run_result r =
      run_gate(plugin_address("mutants", GetParam()), {.properties = law_for(GetParam())});
  ASSERT_EQ(r.exit_code(), 1) << findings(r);
  EXPECT_EQ(r.outcome(), expected_outcome(GetParam())) << findings(r);
  for (const counterexample* c : shown(r)) {
    EXPECT_EQ(replayed(*c, r.subject), c->found.outcome) << c->replay;
    EXPECT_TRUE(r.subject.features.contains(materialise(c->problem).asks())) << c->replay;
  }
  const auto list = shown(r);
  EXPECT_TRUE(needs_large_problems(GetParam()) ||
              std::any_of(list.begin(), list.end(), [](auto* c) { return is_small(c->problem); }))
      << findings(r);
}

INSTANTIATE_TEST_SUITE_P(every, mutant_plugin,
                         testing::ValuesIn(quick_sample(plugins_in("mutants"))), name_of_parameter);

// ---- What a run depends on ----

std::string json_of(const run_result& r) {
  std::ostringstream out;
  write_json(out, {r, {}});
  return out.str();
}

std::string json_with_threads(std::size_t count, const std::string& address) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, count);
  return json_of(run_gate(address, {.properties = "masked_keys*"}));
}

TEST(run, a_report_does_not_depend_on_the_number_of_threads) {
  for (const std::string& address :
       {plugin_address("mutants", "bool_polarity"), std::string("builtin:float32")}) {
    const std::string alone = json_with_threads(1, address);
    EXPECT_EQ(json_with_threads(2, address), alone) << address;
    EXPECT_EQ(json_with_threads(5, address), alone) << address;
  }
}

TEST(run, another_seed_draws_other_problems) {
  const std::string address = plugin_address("subjects", "minimal");
  const gate_settings one{.seed = 1, .properties = "shift*"},
      other{.seed = 2, .properties = "shift*"};
  EXPECT_EQ(json_of(run_gate(address, one)), json_of(run_gate(address, one)));
  EXPECT_NE(json_of(run_gate(address, one)), json_of(run_gate(address, other)));
}

}  // namespace
}  // namespace attest
