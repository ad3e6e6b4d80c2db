// The bound of rows whose scores are all 0: small enough to see one key in thousands, and never
// below what an evaluation that keeps the contract may do.
#include "derivation/bounds/exact_sums.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/contract/presets.h"
#include "reference/random.h"

namespace attest {
namespace {

const format* const inputs_of_defaults[] = {&f64, &f32, &f16, &bf16, &f8_e4m3fn};

// +-1 at every eighth of n keys, as many of each sign.
integer_column balanced_eighth(double n) { return {0, n / 8, n / 8, 0}; }
integer_column ones(double n) { return {n, n, n, 0}; }

TEST(level_row_bound, a_key_of_4096_dropped_or_doubled_in_the_numerator_is_beyond_it) {
  constexpr double n = 4096;
  for (const format* inputs : inputs_of_defaults) {
    const contract& c = default_contract(*inputs);
    ASSERT_TRUE(level_row_bound::covers(c)) << c.name;
    // Without the key the sum is 1 and the mass n - 1; with it twice, 1 and n + 1.
    EXPECT_LT(2 * level_row_bound(c, {n, 0}).output(balanced_eighth(n)), 1 / (n + 1)) << c.name;
  }
}

// What exp_ulps allows the weights in l to be off by together: 2^-21 in float32, 2^-13 beside fp16
// weights, 2^-10 beside bf16, 2^-6 beside fp8. Below so many keys one more is beyond it.
TEST(level_row_bound, a_key_added_to_the_denominator_is_beyond_it_up_to_so_many_keys) {
  struct limit {
    const format* inputs;
    double keys;
  };
  for (const limit& l :
       {limit{&f64, 4096}, {&f32, 4096}, {&f16, 1024}, {&bf16, 256}, {&f8_e4m3fn, 16}}) {
    const contract& c = default_contract(*l.inputs);
    const level_row_bound bound(c, {l.keys, 0});
    const bool by_output = bound.output(ones(l.keys)) < 1 - l.keys / (l.keys + 1);
    const bool by_lse = bound.lse(false) < std::log1p(1 / l.keys);
    EXPECT_TRUE(by_output || by_lse) << c.name;
  }
}

TEST(level_row_bound,
     a_mean_of_0_is_exact_where_weights_of_1_are_stored_as_1_and_nothing_is_merged) {
  contract c = default_contract(bf16);
  EXPECT_GT(level_row_bound(c, {64, 0}).output(balanced_eighth(64)), 0) << "parts may be merged";
  c.merges = 0;
  EXPECT_EQ(level_row_bound(c, {64, 0}).output(balanced_eighth(64)), 0);
  c.may_normalise_weights = true;
  EXPECT_GT(level_row_bound(c, {64, 0}).output(balanced_eighth(64)), 0) << "p / l is rounded";
}

TEST(level_row_bound, sums_beyond_the_accumulator_are_not_exact) {
  contract c = default_contract(bf16);
  c.merges = 0;
  c.output_sum = {&f16};
  EXPECT_EQ(level_row_bound(c, {8192, 0}).output(balanced_eighth(8184)), 0);
  EXPECT_GT(level_row_bound(c, {8192, 0}).output(balanced_eighth(8192)), 0);
}

TEST(level_row_bound, faint_keys_are_lost_by_sums_to_nearest_but_may_move_a_matrix_unit) {
  contract c = default_contract(bf16);
  c.merges = 0;
  EXPECT_GT(level_row_bound(c, {64, 64}).output(balanced_eighth(64)), 0);
  c.fused_terms = 0;
  EXPECT_EQ(level_row_bound(c, {64, 64}).output(balanced_eighth(64)), 0);
}

// In float, with every weight off by the most that the contract allows, to whichever side does the
// most harm, summed from the first key to the last.
struct harmful_sums {
  float numerator = 0, denominator = 0;

  void add(float weight, float z) {
    numerator += weight * z;
    denominator += weight;
  }
};

double harm_of_weights(double error_of_positive, double error_of_negative, double n) {
  harmful_sums sums;
  for (int j = 0; j < static_cast<int>(n); ++j) {
    const float z = j % 8 != 0 ? 0.0f : j % 16 == 0 ? 1.0f : -1.0f;
    const double error = z < 0 ? error_of_negative : error_of_positive;
    sums.add(static_cast<float>(1 + error), z);
  }
  return std::fabs(static_cast<double>(sums.numerator / sums.denominator));
}

TEST(level_row_bound, weights_that_are_off_as_far_as_the_contract_allows_stay_within_it) {
  contract c = default_contract(f32);
  c.merges = 0;
  c.may_normalise_weights = false;
  const double off = 2 * c.exp_ulps * unit_roundoff(f32);
  for (double n = 16; n <= 65536; n *= 2) {
    const double bound = level_row_bound(c, {n, 0}).output(balanced_eighth(n));
    const double harm = std::max(harm_of_weights(off, -off, n), harm_of_weights(-off, off, n));
    EXPECT_LE(harm, bound) << n;
    EXPECT_TRUE(n > 256 || harm > bound / 10) << n << ": too loose to be useful";
  }
}

TEST(level_row_bound, equal_weights_that_are_not_1_stay_within_it_however_far_they_round) {
  contract c = default_contract(f32);
  c.merges = 0;
  for (std::uint64_t draw = 0; draw < 2000; ++draw) {
    const auto n = static_cast<double>(2 + random_below(7, 0, draw, 3000));
    const double off = 2 * c.exp_ulps * unit_roundoff(f32) * (2 * random_unit(7, 1, draw) - 1);
    harmful_sums sums;
    for (int j = 0; j < static_cast<int>(n); ++j) sums.add(static_cast<float>(1 + off), 1);
    const auto lse = static_cast<double>(std::log(sums.denominator));
    EXPECT_LE(std::fabs(lse - std::log(n)), level_row_bound(c, {n, 0}).lse(false)) << n;
  }
}

TEST(level_row_bound, does_not_cover_other_shifts_and_roundings) {
  const auto covered = [](auto change) {
    contract c = default_contract(f32);
    change(c);
    return level_row_bound::covers(c);
  };
  EXPECT_TRUE(covered([](contract&) {}));
  EXPECT_FALSE(covered([](contract& c) { c.shift = exponent_shift::constant; }));
  EXPECT_FALSE(covered([](contract& c) { c.shift_by = 3; }));
  EXPECT_FALSE(covered([](contract& c) { c.quantised_to = &f8_e4m3fn; }));
  EXPECT_FALSE(covered([](contract& c) { c.weight_storage.mode = rounding_mode::to_zero; }));
  EXPECT_FALSE(covered([](contract& c) { c.weight_of_one = 448; }));
}

TEST(rounding_step, is_half_a_spacing_to_nearest_and_a_whole_one_otherwise) {
  constexpr auto kept = subnormal_mode::kept;
  EXPECT_EQ(rounding_step(f16, rounding_mode::nearest_even, kept, 1), 0x1p-11);
  EXPECT_EQ(rounding_step(f16, rounding_mode::nearest_even, kept, 0.999), 0x1p-12);
  EXPECT_EQ(rounding_step(f16, rounding_mode::to_zero, kept, 1.5), 0x1p-10);
  EXPECT_EQ(rounding_step(f16, rounding_mode::nearest_even, kept, 0x1p-20), 0x1p-25);
  EXPECT_EQ(rounding_step(f16, rounding_mode::nearest_even, subnormal_mode::flushed, 0x1p-20),
            0x1p-20);
  EXPECT_EQ(rounding_step(f16, rounding_mode::up, kept, 0), 0);
}

}  // namespace
}  // namespace attest
