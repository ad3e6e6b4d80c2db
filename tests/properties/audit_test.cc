// The judge calls no correct evaluation wrong, however unlucky, and a judge that is too strict or
// too lax is found out.
#include "properties/audit/audit.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <functional>

#include "properties/audit/audited_contracts.h"
#include "reference/contract/presets.h"
#include "reference/input_error.h"
#include "reference/problems/value_regime.h"

namespace attest {
namespace {

const contract& audited(std::string_view name) { return *matching_audited_contracts(name).front(); }

audit_result audit_of(const contract& keeps, const contract& judged_by,
                      const audit_options& options) {
  return audit_contract(keeps, judged_by, options);
}

std::string words_of(const nearest_miss& n) { return n.where + " of " + n.problem + ", " + n.plan; }

TEST(audit, no_correct_evaluation_is_called_wrong_and_some_come_near_the_bound) {
  for (const contract& c : audited_contracts()) {
    const audit_result found = audit_of(c, c, {.seed = 1, .evaluations = 200, .elements = 4000});
    EXPECT_GE(found.evaluations, 200) << c.name;
    EXPECT_GE(found.output.decided, 4000) << c.name;
    EXPECT_EQ(found.output.violated, 0) << c.name << " o: " << words_of(found.output.nearest);
    EXPECT_EQ(found.lse.violated, 0) << c.name << " lse: " << words_of(found.lse.nearest);
    EXPECT_EQ(found.output.improbable + found.lse.improbable, 0) << c.name;
    EXPECT_GE(found.output.nearest.ratio, least_tightness(c) / 2)
        << c.name << ": a few thousand elements come half as near as a million";
  }
}

// ---- A judge that allows less than the contract is found out ----

struct stricter_judge {
  const char* evaluated;
  void (*stricter)(contract&);
  const char* missing;
  void (*laxer)(contract&) = [](contract&) {};  // of what is evaluated
};

constexpr stricter_judge stricter_judges[] = {
    {"exp-8-ulps", [](contract& c) { c.exp_ulps = 0.5; }, "the ulps of exp"},
    {"hardware-tanh", [](contract& c) { c.tanh_error /= 2; }, "half the error of tanh"},
    {"tf32-rounded", [](contract& c) { c.q_conversion.times = 0; }, "the conversion of q"},
    {"tf32-rounded", [](contract& c) { c.k_conversion.times = 0; }, "the conversion of k"},
    {"tf32-rounded", [](contract& c) { c.v_conversion.times = 0; }, "the conversion of v"},
    {"tf32-truncated", [](contract& c) { c.v_conversion.to.mode = rounding_mode::nearest_even; },
     "truncation"},
    {"scale-on-q", [](contract& c) { c.q_conversion.times = 0; }, "the scale put on q"},
    {"lse-form-fp16", [](contract& c) { c.may_use_lse = false; }, "the error of the lse"},
    {"lse-merges-16", [](contract& c) { c.merges = 1; }, "most merges"},
    {"fp16-partials", [](contract& c) { c.partial_storage = {&f32}; }, "the storage of parts"},
    {"strict-fp16", [](contract& c) { c.weight_storage = {&f32}; }, "the storage of weights"},
    {"stored-weights-summed", [](contract& c) { c.may_sum_rounded_weights = false; },
     "stored weights in l"},
    {"exp-zero-below-20", [](contract& c) { c.exp_zero_below = -40; }, "the early zero of exp",
     [](contract& c) { c.exp_zero_below = -15; }},
    {"constant-shift", [](contract& c) { c.shift = exponent_shift::maximum; }, "the shift"},
    {"approximate-division", [](contract& c) { c.division_ulps = 2; }, "half the division's ulps"},
    {"strict-fp16-accumulate", [](contract& c) { c.output_sum = {&f32}; }, "the sum of p v"},
    {"strict-fp16-accumulate", [](contract& c) { c.weight_sum = {&f32}; }, "the sum of l"},
    {"strict-fp16-accumulate", [](contract& c) { c.score_sum = {&f32}; }, "the sum of q k"},
    {"fused-4", [](contract& c) { c.fused_terms = 0; }, "the truncation of fused groups"},
    {"fp8-tensor-scale", [](contract& c) { c.quantised_to = nullptr; }, "quantisation"},
    {"strict-fp32", [](contract& c) { c.may_rescale = false; }, "rescaling",
     [](contract& c) { c.exponent = {&f16}, c.may_rescale = true, c.rescale_ulps = 8; }},
    {"strict-fp32", [](contract& c) { c.exponent_constants = 0; }, "the constants",
     [](contract& c) { c.exponent = {&f16}, c.exponent_constants = 4; }},
    {"strict-fp32", [](contract& c) { c.may_fold_scale = false; }, "the folded scale",
     [](contract& c) { c.exponent = {&f16}, c.may_fold_scale = true; }},
    {"strict-fp32", [](contract& c) { c.merges = 0; }, "merges",
     [](contract& c) { c.exponent = {&f16}, c.merges = 8, c.rescale_ulps = 8; }},
};

TEST(audit, a_judge_that_forgets_a_term_is_found_out) {
  for (const stricter_judge& each : stricter_judges) {
    contract keeps = audited(each.evaluated);
    each.laxer(keeps);
    contract judged_by = keeps;
    each.stricter(judged_by);
    const audit_result found =
        audit_of(keeps, judged_by, {.seed = 1, .evaluations = 200, .elements = 40000});
    EXPECT_FALSE(found.sound()) << each.evaluated << " without " << each.missing << ": o reaches "
                                << found.output.nearest.ratio << ", lse "
                                << found.lse.nearest.ratio;
  }
}

// ---- What is audited ----

TEST(audit, ends_where_it_is_told_to) {
  const contract& c = audited("float32");
  const audit_result found =
      audit_contract(c, c, {.seed = 1, .evaluations = 1000}, [](auto, auto) { return false; });
  EXPECT_TRUE(found.interrupted);
  EXPECT_GT(found.output.decided, 0);
  EXPECT_LT(found.evaluations, 1000);
}

TEST(audit, every_regime_group_rounding_and_order_is_represented) {
  const contract& c = audited("float32");
  const audit_result found = audit_of(c, c, {.seed = 1, .evaluations = 1, .elements = 60000});
  EXPECT_EQ(found.regimes.size(), all_regimes().size());
  EXPECT_EQ(found.groups.size(), static_cast<std::size_t>(feature_count) + 4);
  EXPECT_EQ(found.pressures.size(), static_cast<std::size_t>(pressure_count));
  EXPECT_EQ(found.orders.size(), 2U * (7 + 3 + 3)) << "maximum, merging and form";
}

bool same(const audited_elements& a, const audited_elements& b) {
  return a.decided == b.decided && a.undecided == b.undecided && a.violated == b.violated &&
         a.improbable == b.improbable && a.nearest == b.nearest;
}

TEST(audit, is_the_same_for_any_number_of_threads) {
  const contract& c = audited("fp16-eager");
  const audit_options options{.seed = 7, .evaluations = 100, .elements = 1000};
  const audit_result many = audit_of(c, c, options);
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  const audit_result alone = audit_of(c, c, options);
  EXPECT_TRUE(same(many.output, alone.output));
  EXPECT_TRUE(same(many.lse, alone.lse));
  EXPECT_EQ(many.orders, alone.orders);
}

TEST(audit, another_seed_gives_other_evaluations) {
  const contract& c = audited("float32");
  EXPECT_FALSE(same(audit_of(c, c, {1, 1, 1}).output, audit_of(c, c, {2, 1, 1}).output));
}

TEST(audited_contracts, have_names_of_their_own_and_hold_every_preset) {
  std::vector<std::string_view> names;
  for (const contract& c : audited_contracts()) names.push_back(c.name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  for (const contract& c : all_contracts())
    EXPECT_TRUE(std::binary_search(names.begin(), names.end(), c.name)) << c.name;
}

TEST(audited_contracts, are_found_by_glob) {
  EXPECT_EQ(matching_audited_contracts("all").size(), audited_contracts().size());
  EXPECT_EQ(matching_audited_contracts("fused-*").size(), 3U);
  EXPECT_THROW(matching_audited_contracts("fp15"), input_error);
}

}  // namespace
}  // namespace attest
