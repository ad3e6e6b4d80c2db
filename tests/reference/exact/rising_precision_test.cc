// Exact rows whatever their scores, groups of equal logits, and sides by proof.
#include "reference/exact/rising_precision.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/backends/answer.h"
#include "reference/exact/certain_digits.h"
#include "reference/exact/equal_scores.h"
#include "reference/exact/exact_row.h"
#include "tests/reference/backends/random_spec.h"
#include "tests/reference/exact/one_row.h"

namespace attest {
namespace {

constexpr row_index first{0, 0, 0};

exact_row row_of(const problem& p) { return compute_exact_row(p, first); }

bool overlap(const enclosure& x, const enclosure& y) {
  if (!std::isfinite(x.high)) return x.high == y.high || (std::isnan(x.high) && std::isnan(y.high));
  return std::fabs((x.high - y.high) + (x.low - y.low)) <= x.radius + y.radius;
}

// Scores that are sums of terms of +-1e300 and come to those of `logits`.
problem with_cancelling_terms(const std::vector<double>& logits, const std::vector<double>& v) {
  vectors k;
  for (double t : logits) k.push_back({1e150, -1e150, t});
  problem p = one_row({1e150, 1e150, 1}, k, v);
  p.scale = 1;
  return p;
}

TEST(exact_row, scores_of_1e300_that_cancel_cost_no_certainty) {
  const std::vector<double> logits{0.5, -1.25, 2}, v{1, 3, -7};
  const exact_row plain = row_of(one_row(logits, v));
  const exact_row huge = row_of(with_cancelling_terms(logits, v));
  EXPECT_LE(huge.output[0].radius, 0x1p-103 * 8);
  EXPECT_TRUE(overlap(plain.output[0], huge.output[0]));
  EXPECT_TRUE(overlap(plain.lse, huge.lse));
}

TEST(exact_row, scores_that_differ_by_1e300_are_certain) {
  for (double t : {1e150, 1e300}) {
    const exact_row row = row_of(one_row({t, -t, t}, {1, 5, 2}));
    EXPECT_EQ(row.output[0].high, 1.5);
    EXPECT_LE(row.output[0].radius, 0x1p-103);
    EXPECT_EQ(row.lse.high, t);
    EXPECT_LE(row.lse.radius, 0x1p-104 * t);
    EXPECT_EQ(row.keys[1].weight, 0);
  }
}

TEST(exact_row, two_precisions_overlap) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const problem p = materialise(random_spec(seed, f32));
    const exact_row usual = row_of(p), finer = compute_exact_row(p, first, 1024);
    EXPECT_TRUE(overlap(usual.lse, finer.lse)) << seed;
    for (std::size_t d = 0; d < usual.output.size(); ++d)
      EXPECT_TRUE(overlap(usual.output[d], finer.output[d])) << seed;
  }
}

TEST(exact_row, a_precision_that_decides_nothing_says_so) {
  const exact_row row = compute_exact_row(with_cancelling_terms({1, 2}, {1, 2}), first, 256);
  EXPECT_EQ(row.output[0].radius, INFINITY);
  EXPECT_EQ(row.lse.radius, INFINITY);
}

TEST(exact_row, a_column_of_zeros_is_exact) {
  const exact_row row = row_of(one_row({1, 2}, {0, 0}));
  EXPECT_EQ(row.output[0].high, 0);
  EXPECT_EQ(row.output[0].radius, 0);
}

TEST(exact_row, encloses_outputs_far_below_the_doubles) {
  const enclosure o = row_of(one_row({0, -1e300}, {0, 1})).output[0];
  EXPECT_LE(o.high + o.low, o.radius);
  EXPECT_GT(o.radius, 0);
}

std::size_t groups_in(const problem& p) { return equal_scores(p, first).groups().size(); }

struct equality_case {
  std::int64_t width;
  std::optional<double> scale;
  double soft_cap;
  cap_order order;
  std::vector<double> dots, biases;
  std::size_t groups;
  const char* why;
};

constexpr auto before = cap_order::before_bias, after = cap_order::after_bias;

const equality_case equality_cases[] = {
    {1, {}, 0, before, {1, 1, 2}, {0, 0, 0}, 2, "equal dot products"},
    {1, 0.5, 0, before, {2, 0}, {0, 1}, 1, "0.5 2 + 0 = 0.5 0 + 1"},
    {4, {}, 0, before, {2, 0}, {0, 1}, 1, "c = 1 / 2 is rational"},
    {9, {}, 0, before, {3, 0}, {0, 1}, 1, "c = 1 / 3 is rational, though no double"},
    {9, {}, 0, before, {1, 0}, {0, 1 / 3.0}, 2, "1 / 3 is no double"},
    {2, {}, 0, before, {2, 0}, {0, 1.4142135623730951}, 2, "c is irrational"},
    {2, {}, 0, before, {2, 0}, {0, 2}, 2, "c is irrational: S + b means nothing"},
    {2, {}, 0, before, {2, 2, 2}, {1, 1, 0}, 2, "c is irrational: both parts must agree"},
    {1, 0.0, 0, before, {2, 3}, {1, 1}, 1, "a scale of 0 makes any dot products equal"},
    {1, {}, 5, before, {1, 0}, {0, 1}, 2, "tanh makes the first transcendental"},
    {1, {}, 5, after, {1, 0}, {0, 1}, 1, "equal before the cap, equal after it"},
    {1, {}, 5, before, {0, 0}, {1, 1}, 1, "tanh 0 = 0"},
};

TEST(equal_scores, are_those_that_number_theory_makes_equal) {
  for (const equality_case& c : equality_cases) {
    vectors k;
    for (double dot : c.dots) {
      k.emplace_back(static_cast<std::size_t>(c.width), 0);
      k.back()[0] = dot;
    }
    problem p = one_row(std::vector<double>(static_cast<std::size_t>(c.width), 1), k,
                        std::vector<double>(k.size(), 1));
    p.scale = c.scale;
    p.soft_cap = c.soft_cap;
    p.rules.cap = c.order;
    set_biases(p, c.biases);
    EXPECT_EQ(groups_in(p), c.groups) << c.why;
  }
}

TEST(equal_scores, a_sink_joins_the_keys_of_its_logit) {
  problem p = one_row({1, 2, 3}, {1, 1, 1});
  for (double sink : {2.0, 2.5}) {
    p.sink = {sink};
    EXPECT_EQ(groups_in(p), sink == 2 ? 3u : 4u);
  }
  p.soft_cap = 4;
  p.sink = {2};
  EXPECT_EQ(groups_in(p), 4u) << "4 tanh(2 / 4) is transcendental";
}

TEST(equal_scores, a_sink_is_not_capped_with_the_keys) {
  problem p = one_row({1, 1}, {{0, 0}, {1, 1}}, {1, 1});
  p.soft_cap = 4;
  p.rules.cap = cap_order::after_bias;
  p.sink = {2};
  set_biases(p, {2, 0});
  EXPECT_EQ(groups_in(p), 3u) << "4 tanh(2 / 4) is transcendental";
  p.sink = {0};
  set_biases(p, {0, 0});
  EXPECT_EQ(groups_in(p), 2u) << "tanh 0 = 0 is the sink";
}

TEST(equal_scores, are_told_from_those_that_differ_in_the_last_of_four_thousand_bits) {
  const double tiny = 0x1p-1074, large = 0x1p1000;
  problem p = one_row({large, tiny}, {{large, 0}, {large, tiny}, {large, 0}}, {1, 1, 1});
  EXPECT_EQ(groups_in(p), 2u);
}

// ---- Sides ----

struct near_tie {
  double gap;
  const char* why;
};

const near_tie near_ties[] = {{20, "seen in double"},
                              {138.7, "a weight of 2^-200"},
                              {1386.3, "a weight of 2^-2000"},
                              {1e300, "a weight that no precision reaches: dominance decides"}};

TEST(rising_row, a_tiny_weight_tips_the_balance_either_way) {
  for (const near_tie& c : near_ties)
    for (double push : {-1.0, 1.0}) {
      const problem p = one_row({0, 0, -c.gap}, {1, 2, 1.5 + push});
      rising_row row(p, first);
      EXPECT_EQ(row.output_side(0, {3, -1}), push < 0 ? side::below : side::above) << c.why;
    }
}

TEST(rising_row, equality_is_proved_group_by_group) {
  const problem p = one_row({0, 0, -1, -1, -1}, {1, 2, 1, 1.5, 2});
  rising_row row(p, first);
  EXPECT_EQ(row.output_side(0, {3, -1}), side::at);
  EXPECT_EQ(row.output_side(0, {5, -2}), side::above);
  EXPECT_EQ(row.output_side(0, {7, -2}), side::below);
}

TEST(rising_row, scores_of_1e300_are_compared_exactly) {
  const double t = 1e300, next = std::nextafter(t, 2e300);
  const problem p = one_row({t, t, next}, {1, 2, 9});
  rising_row row(p, first);
  EXPECT_EQ(row.output_side(0, {9, 0}), side::below) << "by exp(t - next)";
  EXPECT_EQ(row.output_side(0, {8, 0}), side::above);
}

TEST(rising_row, an_lse_is_rational_only_where_one_key_or_equal_logits_make_it_so) {
  problem p = one_row({0.375}, {1});
  EXPECT_EQ(rising_row(p, first).lse_side({3, -3}), side::at);
  p = one_row({0.375, -1e300}, {1, 1});
  EXPECT_EQ(rising_row(p, first).lse_side({3, -3}), side::above);
  p = one_row({0, 0, 0, 0}, {1, 1, 1, 1});
  p.rules.base = lse_base::two;
  EXPECT_EQ(rising_row(p, first).lse_side({2, 0}), side::at);
  EXPECT_EQ(rising_row(p, first).lse_side({1, 1}), side::at) << "the same number";
  EXPECT_EQ(rising_row(p, first).lse_side({(std::int64_t{1} << 53) + 1, -52}), side::below);
  p.sink = {-1e300};
  EXPECT_EQ(rising_row(p, first).lse_side({2, 0}), side::above);
}

TEST(rising_row, a_point_far_away_is_on_its_side) {
  const problem p = one_row({1, 2}, {1, 2});
  rising_row row(p, first);
  for (int exponent : {-1000, 0, 3, 900}) {
    EXPECT_EQ(row.lse_side({-1, exponent}), side::above) << exponent;
    EXPECT_EQ(row.lse_side({1, exponent}), exponent < 2 ? side::above : side::below) << exponent;
  }
}

TEST(rising_row, the_mean_of_an_empty_row_is_rational) {
  problem p = one_row({1, 2}, {1, 2});
  p.lengths = {0};
  p.rules.on_empty_row = empty_row::mean_of_values;
  EXPECT_EQ(rising_row(p, first).output_side(0, {3, -1}), side::at);
}

TEST(certain_digits, stop_where_the_ends_part) {
  EXPECT_EQ(certain_digits({0.25, 0, 0}), "0.25");
  EXPECT_EQ(certain_digits({1 / 3.0, 0, 1e-10}), "0.333333333");
  EXPECT_EQ(certain_digits({0, 0, 1}), "?");
  EXPECT_EQ(certain_digits({-INFINITY, 0, 0}), "-inf");
  EXPECT_EQ(certain_digits({1e-320, 0, 0}, 3), "1e-320");
}

}  // namespace
}  // namespace attest
