#include "reference/formats/arithmetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/reference/formats/arithmetic_agreement.h"
#include "tests/reference/formats/number_text.h"

namespace attest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest_f64 = std::numeric_limits<double>::max();
constexpr rounding up{rounding_mode::up};
constexpr rounding down{rounding_mode::down};
constexpr rounding to_zero{rounding_mode::to_zero};
constexpr rounding stochastic{rounding_mode::stochastic};

constexpr operation binary_operations[] = {operation::add, operation::sub, operation::mul,
                                           operation::div, operation::sqrt};
constexpr operation all_operations[] = {operation::add, operation::sub,  operation::mul,
                                        operation::div, operation::sqrt, operation::fma};

TEST(arithmetic, of_fp8_is_exact_and_rounded_once_on_every_pair_in_every_rounding) {
  for (const format* f : {&f8_e4m3fn, &f8_e4m3, &f8_e5m2})
    for (const operation op : binary_operations) expect_agreement_on_all_pairs(*f, op);
}

TEST(arithmetic, of_fp8_multiplies_and_adds_with_one_rounding) {
  for (const format* f : {&f8_e4m3fn, &f8_e4m3, &f8_e5m2})
    expect_agreement_on_samples(*f, operation::fma, 11, 1 << 18);
}

TEST(arithmetic, of_f16_is_exact_and_rounded_once) {
  expect_agreement_on_all_pairs(f16, operation::sqrt);
  for (const operation op : all_operations) expect_agreement_on_samples(f16, op, 12, 1 << 17);
}

TEST(arithmetic, of_every_ieee_format_agrees_with_mpfr_on_doubles_of_all_sizes) {
  for (const format* f : all_formats)
    for (const operation op : all_operations)
      if (f->kind == specials::ieee) expect_agreement_with_mpfr(*f, op, 13, 20000);
}

struct operation_row {
  const format* f;
  rounding how;
  double (*compute)(arithmetic&);
  double expected;
  const char* why;
};

TEST(arithmetic, is_right_where_intermediate_results_leave_the_range_of_a_double) {
  const operation_row rows[] = {
      {&f64, down, [](arithmetic& a) { return a.add(largest_f64, largest_f64); }, largest_f64,
       "the sum is finite, if too large"},
      {&f64, down, [](arithmetic& a) { return a.add(0x1p1023, 0x1p1023); }, largest_f64,
       "the sum is finite, if too large"},
      {&f64, down, [](arithmetic& a) { return a.fma(1, 0x1p1023, 0x1p1023); }, largest_f64,
       "the sum is finite, if too large"},
      {&f64, up, [](arithmetic& a) { return a.add(largest_f64, 0x1p-1074); }, infinity,
       "one too small to be scaled still counts"},
      {&f64, down, [](arithmetic& a) { return a.add(largest_f64, -0x1p-1074); },
       0x1.ffffffffffffep1023, "one too small to be scaled still counts"},
      {&f64, to_zero, [](arithmetic& a) { return a.mul(0x1p1000, 0x1p1000); }, largest_f64,
       "the product is finite, if too large"},
      {&f64, up, [](arithmetic& a) { return a.mul(0x1p-1000, 0x1p-1000); }, 0x1p-1074,
       "the product is not zero"},
      {&f64, down, [](arithmetic& a) { return a.mul(0x1p-1000, -0x1p-1000); }, -0x1p-1074,
       "the product is not zero"},
      {&f64,
       {},
       [](arithmetic& a) { return a.fma(0x1p1000, 0x1p1000, -infinity); },
       -infinity,
       "a finite product against an infinity"},
      {&f64,
       {},
       [](arithmetic& a) { return a.fma(0x1p600, 0x1p600, -largest_f64); },
       infinity,
       "2^1200 - 2^1024 overflows"},
      {&f64, up, [](arithmetic& a) { return a.fma(0x1p-600, 0x1p-600, 1); }, 1 + 0x1p-52,
       "a product that underflows still counts"},
      {&f64, down, [](arithmetic& a) { return a.fma(0x1p-600, -0x1p-600, 0x1p-1074); }, 0.0,
       "a product that underflows still counts"},
      {&f64,
       {},
       [](arithmetic& a) { return a.fma(0x1p-537, 0x1p-538, 0x1p-1000); },
       0x1p-1000,
       "a product half the smallest double"},
      {&f64, up, [](arithmetic& a) { return a.div(0x1p-1000, 0x1p1000); }, 0x1p-1074,
       "the quotient is not zero"},
      {&f64, down, [](arithmetic& a) { return a.div(0x1p1000, 0x1p-1000); }, largest_f64,
       "the quotient is finite, if too large"},
      {&f64, {}, [](arithmetic& a) { return a.div(0x1p-1074, 2); }, 0.0, "a tie with zero"},
      {&f64, {}, [](arithmetic& a) { return a.div(0x1.8p-1073, 2); }, 0x1p-1073, "a tie, 1.5"},
      {&f64,
       {},
       [](arithmetic& a) { return a.sqrt(1 - 0x1p-53); },
       1 - 0x1p-53,
       "within 2^-108 of a tie"},
      {&f64, up, [](arithmetic& a) { return a.sqrt(0x1p-1074); }, 0x1p-537, "exact"},
      {&f32,
       {},
       [](arithmetic& a) { return a.add(1, 0x1p-24 + 0x1p-76); },
       1 + 0x1p-23,
       "the double sum is a tie"},
      {&f32,
       {},
       [](arithmetic& a) { return a.fma(1 + 0x1p-12, 1 + 0x1p-12, 0x1p-80); },
       1 + 0x1p-11 + 0x1p-23,
       "the double sum is a tie"},
      {&f16,
       {},
       [](arithmetic& a) { return a.convert(1 + 0x1p-11 + 0x1p-30); },
       1 + 0x1p-10,
       "not through f32"},
  };
  for (const operation_row& row : rows) {
    arithmetic unit(*row.f, row.how);
    const double result = row.compute(unit);
    EXPECT_TRUE(is_same_number(result, row.expected))
        << row.f->name << ", " << rounding_text(row.how) << ": " << row.why << "; got "
        << number_text(result) << ", not " << number_text(row.expected);
  }
}

TEST(arithmetic, gives_ieee_special_values_in_every_format_and_rounding) {
  for (const format* f : all_formats)
    for (const rounding how : deterministic_roundings()) {
      arithmetic unit(*f, how);
      EXPECT_TRUE(std::isnan(unit.sub(infinity, infinity)));
      EXPECT_TRUE(std::isnan(unit.mul(0, infinity)));
      EXPECT_TRUE(std::isnan(unit.div(0, 0)));
      EXPECT_TRUE(std::isnan(unit.sqrt(-1)));
      EXPECT_TRUE(std::isnan(unit.fma(0, infinity, 1)));
      EXPECT_TRUE(is_same_number(unit.sqrt(-0.0), -0.0));
      EXPECT_TRUE(is_same_number(unit.div(-1, 0), round_to(*f, how, -infinity)));
      EXPECT_TRUE(is_same_number(unit.div(1, -infinity), -0.0));
    }
}

TEST(arithmetic, cancels_to_plus_zero_except_downwards) {
  for (const rounding_mode mode : deterministic_modes()) {
    arithmetic unit(f16, {mode});
    const double zero = mode == rounding_mode::down ? -0.0 : 0.0;
    EXPECT_TRUE(is_same_number(unit.sub(3, 3), zero));
    EXPECT_TRUE(is_same_number(unit.fma(2, 3, -6), zero));
    EXPECT_TRUE(is_same_number(unit.add(0.0, -0.0), zero));
    EXPECT_TRUE(is_same_number(unit.add(0.0, 0.0), 0.0));
    EXPECT_TRUE(is_same_number(unit.add(-0.0, -0.0), -0.0));
    EXPECT_TRUE(is_same_number(unit.mul(-0.0, 3), -0.0));
  }
}

TEST(arithmetic, carries_the_overflow_and_subnormal_choices) {
  arithmetic unit(f8_e4m3fn,
                  {rounding_mode::nearest_even, subnormal_mode::flushed, overflow_mode::saturate});
  EXPECT_EQ(unit.mul(448, 2), 448);
  EXPECT_EQ(unit.div(1, 0), 448);
  EXPECT_EQ(unit.mul(0x1p-6, 0.5), 0);
}

TEST(stochastic_arithmetic, lands_on_a_neighbour_and_never_moves_exact_results) {
  arithmetic unit(f8_e5m2, stochastic, 5), lower(f8_e5m2, down), upper(f8_e5m2, up);
  for (std::uint64_t i = 0; i < 0x10000; ++i) {
    const double x = decode(f8_e5m2, i % 256), y = decode(f8_e5m2, i / 256);
    if (std::isnan(x + y)) continue;
    const double sum = unit.add(x, y), below = lower.add(x, y), above = upper.add(x, y);
    // An overflow is no choice between neighbours: the unbounded ones are both too large.
    if (std::fabs(x + y) < largest_finite(f8_e5m2)) {
      ASSERT_TRUE(sum == below || sum == above) << x << " + " << y;
    }
  }
}

struct share_row {
  const format* f;
  double (*compute)(arithmetic&);
  double share;
  const char* why;
};

// The share of results that lie above the lower neighbour. See has_the_right_mean in
// rounding_test.cc for the bound: a false alarm below 10^-9 a row, were the seed not fixed.
TEST(stochastic_arithmetic, goes_up_as_often_as_the_exact_result_demands) {
  const share_row rows[] = {
      {&f64, [](arithmetic& a) { return a.add(1, 0x1p-54); }, 0.25, "2^-54 of a gap 2^-52"},
      {&f64, [](arithmetic& a) { return a.sub(1, 0x1p-55); }, 0.75, "2^-55 of a gap 2^-53"},
      {&f64, [](arithmetic& a) { return a.mul(1 + 0x1p-27, 1 + 0x1p-27); }, 0.25,
       "1 + 2^-26 + 2^-54"},
      {&f64, [](arithmetic& a) { return a.fma(1 + 0x1p-27, 1 + 0x1p-27, 0x1p-53); }, 0.75,
       "1 + 2^-26 + 3 2^-54"},
      {&f64, [](arithmetic& a) { return a.div(1, 3); }, 1.0 / 3, "0.0101..., 53 bits kept"},
      {&f16, [](arithmetic& a) { return a.div(1, 3); }, 1.0 / 3, "0.0101..., 11 bits kept"},
      {&f64, [](arithmetic& a) { return a.sqrt(2); }, 0.5646238,
       "1 - (0x1.6a09e667f3bcdp0 - sqrt(2)) 2^52"},
      {&f64, [](arithmetic& a) { return a.mul(0x1p-1000, 0x1p-76); }, 0.25,
       "2^-1076 of a gap 2^-1074"},
  };
  constexpr int draws = 1 << 20;
  for (const share_row& row : rows) {
    arithmetic unit(*row.f, stochastic, 6), lower(*row.f, down);
    const double below = row.compute(lower);
    int ups = 0;
    for (int i = 0; i < draws; ++i) ups += row.compute(unit) > below;
    EXPECT_NEAR(static_cast<double>(ups) / draws, row.share, 0.0032) << row.why;
  }
}

TEST(stochastic_arithmetic, is_a_function_of_its_seed) {
  arithmetic first(f16, stochastic, 8), second(f16, stochastic, 8), other(f16, stochastic, 9);
  int differences = 0;
  for (int i = 1; i <= 1000; ++i) {
    const double result = first.div(i, 7);
    ASSERT_EQ(second.div(i, 7), result);
    differences += other.div(i, 7) != result;
  }
  EXPECT_GT(differences, 100);
}

}  // namespace
}  // namespace attest
