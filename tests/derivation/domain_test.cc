// A row is judged only where no order of evaluation that its contract allows overflows.
#include <gtest/gtest.h>

#include <initializer_list>

#include "derivation/bounds/forward.h"
#include "reference/contract/presets.h"

namespace attest {
namespace {

struct small_key {
  double k, bias, v;
};

// One query of width 1 and such keys, in f16.
problem row_of(double q, std::initializer_list<small_key> keys) {
  problem p;
  p.dims.keys = static_cast<std::int64_t>(keys.size());
  p.scale = 1;
  p.q = tensor(f16, place(layout::bhld, p.dims.q_sizes()), 0);
  p.k = tensor(f16, place(layout::bhld, p.dims.k_sizes()), 0);
  p.v = tensor(f16, place(layout::bhld, p.dims.v_sizes()), 0);
  p.bias = tensor(f16, place(layout::bhld, p.dims.score_sizes()), 0);
  p.q.set({0, 0, 0, 0}, q);
  std::int64_t j = 0;
  for (const small_key& key : keys) {
    p.k.set({0, 0, j, 0}, key.k);
    p.v.set({0, 0, j, 0}, key.v);
    p.bias->set({0, 0, 0, j}, key.bias);
    ++j;
  }
  return p;
}

bool is_judged(const contract& c, const problem& p) {
  const row_index first{};
  return forward_bound(c, p, first, compute_exact_row(p, first)).in_domain();
}

contract with_parts_in_f16() {
  contract c = default_contract(f16);
  c.merges = 4;
  c.partial_storage = {&f16};
  return c;
}

// In float32 a score of 3.6e9 is off by hundreds: keys 300 apart may weigh the same, and parts of
// both then hold the sum of their values.
TEST(domain, knows_that_wrong_scores_make_other_sums) {
  const auto keys_apart_by = [](double gap) {
    return row_of(60000, {{60000, 0, 20000}, {60000, -gap, 20000}});
  };
  EXPECT_FALSE(is_judged(with_parts_in_f16(), keys_apart_by(300)));
  EXPECT_TRUE(is_judged(with_parts_in_f16(), keys_apart_by(60000)));
  EXPECT_TRUE(is_judged(default_contract(f16), keys_apart_by(300))) << "float32 holds the parts";
}

// Three keys that weigh 2e-9 of the row, and 1 each in a part of their own.
TEST(domain, knows_the_maxima_of_parts) {
  const problem p = row_of(1, {{20, 0, 1}, {0, 0, 30000}, {0, 0, 30000}, {0, 0, 30000}});
  contract c = with_parts_in_f16();
  EXPECT_FALSE(is_judged(c, p));
  c.may_rescale = false;
  EXPECT_FALSE(is_judged(c, p)) << "each part has a maximum, though it does not run";
  c.merges = 0;
  EXPECT_TRUE(is_judged(c, p));
}

// A weight of exp(10) = 22,026 of a score that fp16 may store as 2 more.
TEST(domain, knows_that_a_constant_shift_meets_wrong_scores) {
  contract c = default_contract(f16);
  c.shift = exponent_shift::constant;
  c.score_storage = {&f16};
  c.weight_storage = {&f16};
  const auto greatest = [](double t) { return row_of(1, {{t, 0, 1}, {0, 0, 1}}); };
  c.shift_by = 4094;
  EXPECT_TRUE(is_judged(c, greatest(4096)));
  EXPECT_TRUE(is_judged(c, greatest(4100)));
  EXPECT_FALSE(is_judged(c, greatest(4104)));
}

// f(q) = exp(-4), f(k) = 3: S = 3 v overflows, though f(q) S = v / 18 does not.
TEST(domain, knows_sums_over_keys_that_are_formed_before_the_query_is_looked_at) {
  for (const normalizer n : {normalizer::ratio, normalizer::identity}) {
    problem p = row_of(-4, {{2, 0, 30000}});
    p.bias.reset();
    p.rules.scored_by = scorer::elu_features;
    p.rules.normalised_by = n;
    contract c = default_contract(f16);
    EXPECT_TRUE(is_judged(c, p)) << "float32 holds the sum";
    c.output_sum = {&f16};
    EXPECT_FALSE(is_judged(c, p));
    p.rules.scored_by = scorer::relu_features;
    p.q.set({0, 0, 0, 0}, 0.0625);
    p.k.set({0, 0, 0, 0}, 0.25);
    EXPECT_TRUE(is_judged(c, p)) << "S = v / 4";
  }
}

}  // namespace
}  // namespace attest
