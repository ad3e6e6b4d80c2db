// Correctly rounded answers: constructed ties, near ties, and random problems at 2,000 bits.
#include "reference/certified/rounded.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/backends/answer.h"
#include "reference/formats/ordinal.h"
#include "tests/reference/backends/random_spec.h"
#include "tests/reference/certified/precise_answer.h"
#include "tests/reference/exact/one_row.h"

namespace attest {
namespace {

bool same_number(double x, double y) {
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
  return x == y && (x != 0 || std::signbit(x) == std::signbit(y));
}

// Where neighbouring numbers lie in a format: about 0, at the end of the subnormals, at 1, at the
// end of a binade, below the largest.
std::vector<std::int64_t> places_in(const format& f) {
  const std::int64_t last = last_ordinal(f), normal = ordinal(f, smallest_normal(f));
  const std::int64_t one = ordinal(f, 1);
  std::vector<std::int64_t> places;
  for (std::int64_t n : {std::int64_t{0}, normal - 1, normal, one - 1, one, one + 1, last - 1})
    for (std::int64_t place : {n, -n - 1}) places.push_back(place);
  return places;
}

// Calls check(format, ordinal, the number there, the next one).
template <class Check>
void for_neighbours(Check check) {
  for (const format* f : all_formats)
    for (std::int64_t n : places_in(*f)) {
      SCOPED_TRACE(std::string(f->name) + ", ordinal " + std::to_string(n));
      check(*f, n, number_at(*f, n), number_at(*f, n + 1));
    }
}

double even_of(const format& f, std::int64_t n) {
  const double even = number_at(f, n % 2 == 0 ? n : n + 1);
  return even == 0 && n < 0 ? -0.0 : even;
}

void expect_tie(const problem& p, const format& f, double number) {
  const rounded_answer answer = round_correctly(p, f);
  EXPECT_PRED2(same_number, answer.output[0], number);
  EXPECT_EQ(answer.output_ties[0], 1);
  EXPECT_EQ(answer.undecided, 0);
}

void expect_no_tie(const problem& p, const format& f, double number) {
  const rounded_answer answer = round_correctly(p, f);
  EXPECT_PRED2(same_number, answer.output[0], number);
  EXPECT_EQ(answer.output_ties[0], 0);
  EXPECT_EQ(answer.undecided, 0);
}

TEST(rounded, two_equal_keys_between_neighbours_are_a_tie) {
  for_neighbours([](const format& f, std::int64_t n, double x, double next) {
    expect_tie(one_row({3, 3}, {x, next}), f, even_of(f, n));
  });
}

TEST(rounded, groups_that_balance_are_a_tie) {
  for_neighbours([](const format& f, std::int64_t n, double x, double next) {
    problem p = one_row({1, -2, -2, 1}, {x, next, x, next});
    expect_tie(p, f, even_of(f, n));
    p.soft_cap = 2;
    expect_tie(p, f, even_of(f, n));
  });
}

TEST(rounded, a_sink_halves_a_value_into_a_tie) {
  problem p = one_row({0.5}, {2 * (1 + 0x1p-11)});
  p.sink = {0.5};
  expect_tie(p, f16, 1);
  p = one_row({0.5}, {0x1p-1074});
  p.sink = {0.5};
  expect_tie(p, f64, 0);
}

TEST(rounded, a_tiny_weight_breaks_a_tie_either_way) {
  for (double gap : {138.7, 1386.3, 1e300})
    for_neighbours([gap](const format& f, std::int64_t, double x, double next) {
      expect_no_tie(one_row({0, 0, -gap}, {x, next, x}), f, x);
      expect_no_tie(one_row({0, 0, -gap}, {x, next, next}), f, next == 0 ? -0.0 : next);
    });
}

// sum (-1)^n C(order, n) exp(n d) = (1 - exp(d))^order, with d = 2^-2148: how far the output is
// from the tie, but for a factor of order + 1.
problem at_a_distance_of_order(int order) {
  std::vector<double> v;
  vectors k;
  double binomial = 1;
  for (int n = 0; n <= order; ++n) {
    k.push_back({n * 0x1p-1074});
    v.push_back(1 + 0x1p-11 + (n % 2 == 0 ? binomial : -binomial));
    binomial = binomial * (order - n) / (n + 1);
  }
  return one_row({0x1p-1074}, k, v);
}

TEST(rounded, a_tie_missed_by_2_to_the_minus_10740_takes_16384_bits) {
  expect_no_tie(at_a_distance_of_order(1), f16, 1);
  expect_no_tie(at_a_distance_of_order(2), f16, 1 + 0x1p-10);
  expect_no_tie(at_a_distance_of_order(5), f16, 1);
}

TEST(rounded, what_the_highest_precision_leaves_open_is_undecided_and_no_tie) {
  const rounded_answer answer = round_correctly(at_a_distance_of_order(8), f16);
  EXPECT_EQ(answer.undecided, 1);
  EXPECT_EQ(answer.output_ties[0], 0);
}

TEST(rounded, past_the_largest_number_lies_what_the_format_has_there) {
  expect_tie(one_row({0, 0}, {65504, 65536}), f16, INFINITY);
  expect_tie(one_row({0, 0}, {-65504, -65536}), f16, -INFINITY);
  expect_no_tie(one_row({0, 0, -1e300}, {65504, 65536, 0}), f16, 65504);
  expect_tie(one_row({0, 0}, {448, 480}), f8_e4m3fn, 448);
  expect_no_tie(one_row({0, 0, -200}, {448, 480, 1000}), f8_e4m3fn, NAN);
  expect_no_tie(one_row({0, 0}, {1e308, 1.5e308}), f64, 1.25e308);
}

TEST(rounded, a_zero_keeps_the_sign_of_what_it_was) {
  expect_no_tie(one_row({1, 2}, {-1e-30, -1e-30}), f16, -0.0);
  expect_no_tie(one_row({1, 1}, {-1, 1}), f64, 0.0);
  expect_no_tie(one_row({0, 0, -1e300}, {-1, 1, -1}), f64, -0.0);
  expect_no_tie(one_row({0, 0, -300}, {-1, 1, 1}), f64, 0x1.245639c3a49f7p-434);
}

TEST(rounded, scores_of_1e300_round_like_their_differences) {
  const problem p = one_row({1e150, 1e150, 1}, {{1e150, -1e150, 1}, {1e150, -1e150, 1.5}}, {1, 2});
  problem plain = one_row({1, 1.5}, {1, 2});
  plain.scale = 0.5773502691896258;  // not 1 / sqrt(3)
  problem scaled = p;
  scaled.scale = plain.scale;
  EXPECT_EQ(round_correctly(scaled, f64).output, round_correctly(plain, f64).output);
  EXPECT_EQ(round_correctly(scaled, f64).lse, round_correctly(plain, f64).lse);
}

// ---- lse ----

void expect_lse(const problem& p, const format& f, double number, int tie) {
  const rounded_answer answer = round_correctly(p, f);
  EXPECT_PRED2(same_number, answer.lse[0], number);
  EXPECT_EQ(answer.lse_ties[0], tie);
  EXPECT_EQ(answer.undecided, 0);
}

problem in_base_2(problem p) {
  p.rules.base = lse_base::two;
  return p;
}

TEST(rounded, the_lse_of_one_key_may_be_a_tie) {
  problem p = one_row({1, 1}, {{1, 0x1p-53}}, {1});
  p.scale = 1;
  expect_lse(p, f64, 1, 1);
  expect_lse(one_row({1 + 0x1p-11}, {1}), f16, 1, 1);
  expect_lse(one_row({1 + 0x3p-11}, {1}), f16, 1 + 0x1p-9, 1);
  expect_lse(one_row({1 + 0x1p-11, -1e300}, {1, 1}), f16, 1 + 0x1p-10, 0);
}

TEST(rounded, the_lse_in_base_2_of_a_power_of_two_of_zeros_is_an_integer) {
  const problem p = one_row(std::vector<double>(512, 0.0), std::vector<double>(512, 1.0));
  expect_lse(in_base_2(p), f8_e5m2, 8, 1);
  expect_lse(in_base_2(p), f16, 9, 0);
  expect_lse(in_base_2(one_row({0}, {1})), f64, 0, 0);
  expect_lse(in_base_2(one_row({0, -1e300}, {1, 1})), f64, 0, 0);
}

TEST(rounded, an_lse_that_cancels_is_resolved) {
  expect_lse(one_row({0, -600}, {1, 1}), f64, 0x1.4dd4d0d12c071p-866, 0);
}

// ---- Random problems ----

// The answer of one row to one format, the outputs and then the lse.
std::vector<precise_value> values_of_row(const problem& p, const rounded_answer& answer,
                                         std::size_t row) {
  const auto width = static_cast<std::size_t>(p.dims.value_width);
  std::vector<precise_value> values;
  for (std::size_t n = row * width; n < (row + 1) * width; ++n)
    values.push_back({answer.output[n], answer.output_ties[n] != 0});
  values.push_back({answer.lse[row], answer.lse_ties[row] != 0});
  return values;
}

// Boost's zeros have no sign.
bool agree(const precise_value& x, const precise_value& y) {
  return (x.number == y.number || same_number(x.number, y.number)) && x.near_tie == y.near_tie;
}

struct census {
  int disagreements = 0;
  int ties = 0;
  std::int64_t in_multiprecision = 0;
};

void compare(const problem& p, const certified_answer& certain, census& found) {
  std::vector<rounded_answer> answers;
  for (const format* f : all_formats) {
    answers.push_back(round_correctly(p, *f, certain));
    found.in_multiprecision += answers.back().in_multiprecision;
    EXPECT_EQ(answers.back().undecided, 0);
  }
  std::size_t row = 0;
  for_each_row(p.dims, [&](const row_index& place) {
    const std::vector<std::vector<precise_value>> precise = round_precisely(p, place);
    for (std::size_t f = 0; f < answers.size(); ++f) {
      const std::vector<precise_value> values = values_of_row(p, answers[f], row);
      for (std::size_t n = 0; n < values.size(); ++n) {
        found.disagreements += !agree(values[n], precise[f][n]);
        found.ties += values[n].near_tie;
      }
    }
    ++row;
  });
}

problem random_problem(std::uint64_t seed) {
  problem_spec spec = random_spec(seed, *all_formats[seed * 3 % std::size(all_formats)]);
  spec.dims.batch = 1;
  spec.dims.queries = std::min<std::int64_t>(spec.dims.queries, 2);
  spec.dims.keys = std::min<std::int64_t>(spec.dims.keys, 16);
  return materialise(spec);
}

TEST(rounded, agrees_with_2000_bits_on_random_problems_in_every_format) {
  census found;
  for (std::uint64_t seed = 0; seed < 9; ++seed) {
    const problem p = random_problem(seed);
    compare(p, certify(p), found);
    ASSERT_EQ(found.disagreements, 0) << seed;
  }
  EXPECT_GT(found.ties, 0) << "or the comparison shows little";
  EXPECT_GE(found.in_multiprecision, found.ties);
}

void widen(std::vector<enclosure>& values) {
  for (enclosure& x : values)
    if (std::isfinite(x.high)) x.radius += 0x1p-20 * std::fabs(x.high) + 0x1p-150;
}

TEST(rounded, is_as_right_when_the_enclosures_leave_nearly_everything_open) {
  census found;
  for (std::uint64_t seed = 20; seed < 29; ++seed) {
    const problem p = random_problem(seed);
    certified_answer certain = certify(p);
    widen(certain.output);
    widen(certain.lse);
    compare(p, certain, found);
    ASSERT_EQ(found.disagreements, 0) << seed;
  }
  EXPECT_GT(found.in_multiprecision, 100);
}

TEST(rounded, takes_values_that_cancel_across_zero) {
  for (const double v : {1e40, 1e300, 0x1p103}) {
    const rounded_answer zero = round_correctly(one_row({0, 0}, {v, -v}), f64);
    EXPECT_TRUE(same_number(zero.output[0], 0)) << v << ": " << zero.output[0];
    EXPECT_EQ(zero.undecided, 0);
    const rounded_answer third = round_correctly(one_row({0, 0, 0}, {v, -v, 3}), f64);
    EXPECT_EQ(third.output[0], 1) << v;
  }
}

TEST(rounded, leaves_open_what_lies_over_a_soft_capped_infinity) {
  problem p = one_row({1, 1, -INFINITY}, {1, 1 + 0x1p-10, 1000});
  p.soft_cap = 200;
  const rounded_answer answer = round_correctly(p, f16);
  EXPECT_EQ(answer.undecided, 1);
  EXPECT_EQ(answer.output_ties[0], 0);
}

}  // namespace
}  // namespace attest
