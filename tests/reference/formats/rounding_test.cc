#include "reference/formats/rounding.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "reference/random.h"
#include "tests/reference/formats/number_text.h"

namespace attest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double largest_f64 = std::numeric_limits<double>::max();

constexpr rounding nearest{rounding_mode::nearest_even};
constexpr rounding up{rounding_mode::up};
constexpr rounding down{rounding_mode::down};
constexpr rounding to_zero{rounding_mode::to_zero};
constexpr rounding stochastic{rounding_mode::stochastic};
constexpr rounding flushed{rounding_mode::nearest_even, subnormal_mode::flushed};
constexpr rounding saturating{rounding_mode::nearest_even, subnormal_mode::kept,
                              overflow_mode::saturate};

struct rounding_row {
  const format* f;
  rounding how;
  double value;
  double residual;
  double expected;
  const char* why;
};

template <std::size_t Count>
void expect_rows(const rounding_row (&rows)[Count]) {
  for (const rounding_row& row : rows) {
    const double result = round_to(*row.f, row.how, row.value, row.residual);
    EXPECT_TRUE(is_same_number(result, row.expected))
        << row.f->name << ", " << rounding_text(row.how) << ": " << row.why << "\n  of "
        << number_text(row.value) << " + " << number_text(row.residual) << " got "
        << number_text(result) << ", not " << number_text(row.expected);
    const rounding mirrored{row.how.mode == rounding_mode::up     ? rounding_mode::down
                            : row.how.mode == rounding_mode::down ? rounding_mode::up
                                                                  : row.how.mode,
                            row.how.subnormals, row.how.overflow};
    const double opposite = round_to(*row.f, mirrored, -row.value, -row.residual);
    EXPECT_TRUE(is_same_number(opposite, -row.expected)) << "negated: " << row.why;
  }
}

TEST(nearest_rounding, sends_ties_to_the_even_neighbour) {
  const rounding_row rows[] = {
      {&f16, nearest, 1 + 0x1p-11, 0, 1, "1 is even, 1 + 2^-10 is odd"},
      {&f16, nearest, 1 + 0x1.8p-10, 0, 1 + 0x1p-9, "1 + 2^-10 is odd, 1 + 2^-9 is even"},
      {&f16, nearest, 0x1.ffep0, 0, 2, "the even neighbour lies in the next binade"},
      {&f16, nearest, 2049, 0, 2048, "the gap is 2 there"},
      {&f16, nearest, 2051, 0, 2052, "the gap is 2 there"},
      {&bf16, nearest, 0x1.01p0, 0, 1, "eight significant bits"},
      {&bf16, nearest, 0x1.03p0, 0, 0x1.04p0, "eight significant bits"},
      {&tf32, nearest, 0x1.002p0, 0, 1, "eleven significant bits"},
      {&f32, nearest, 1 + 0x1p-24, 0, 1, "1 is even"},
      {&f32, nearest, 1 + 0x1.8p-23, 0, 1 + 0x1p-22, "1 + 2^-23 is odd"},
      {&f8_e5m2, nearest, 1.125, 0, 1, "three significant bits"},
      {&f8_e5m2, nearest, 1.375, 0, 1.5, "1.25 is odd, 1.5 is even"},
      {&f16, nearest, 0x1p-25, 0, 0, "zero is even"},
      {&f16, nearest, 0x1.8p-24, 0, 0x1p-23, "the smallest subnormal is odd"},
      {&f16, nearest, 0x1p-14 - 0x1p-25, 0, 0x1p-14, "the largest subnormal is odd"},
      {&f32, nearest, 0x1p-150, 0, 0, "zero is even"},
      {&f16, nearest, 65520, 0, infinity, "2^16, were it a number, is even"},
      {&f8_e4m3fn, nearest, 464, 0, 448, "448 is even, the lost 480 odd"},
      {&f8_e4m3, nearest, 248, 0, infinity, "240 is odd"},
  };
  expect_rows(rows);
}

TEST(nearest_rounding, looks_at_the_residual_and_not_at_a_rounded_sum) {
  const rounding_row rows[] = {
      {&f16, nearest, 1 + 0x1p-11 + 0x1p-40, 0, 1 + 0x1p-10,
       "through f32 this would become a tie, and 1"},
      {&f16, nearest, 1 + 0x1p-11, 0x1p-70, 1 + 0x1p-10, "the double alone is a tie, and 1"},
      {&f16, nearest, 1 + 0x1p-11, -0x1p-70, 1, "just below the tie"},
      {&f16, nearest, 1 + 0x1.8p-10, -0x1p-70, 1 + 0x1p-10,
       "the double alone is a tie, and 1 + 2^-9"},
      {&f32, nearest, 1 + 0x1p-24, 0x1p-1074, 1 + 0x1p-23, "however small the residual"},
      {&f32, nearest, 1 + 0x1.8p-23, -0x1p-54, 1 + 0x1p-23, "just below the tie"},
      {&f16, nearest, 0x1p-25, 0x1p-80, 0x1p-24, "just above half the smallest subnormal"},
      {&f16, nearest, 0x1p-25, -0x1p-80, 0, "just below it"},
      {&f16, nearest, 0x1.8p-24, -0x1p-80, 0x1p-24, "just below a tie of subnormals"},
      {&f16, nearest, 65520, -0x1p-40, 65504, "just below the overflow threshold"},
      {&f8_e4m3fn, nearest, 464, 0x1p-50, not_a_number, "just above the overflow threshold"},
      {&f16, nearest, 1, -0x1p-54, 1, "a power of two, from below"},
      {&f16, nearest, 0x1p-14, -0x1p-70, 0x1p-14, "the smallest normal, from below"},
      {&f64, nearest, 1, 0x1p-53, 1, "f64: value is the nearest already, ties resolved"},
      {&f64, nearest, 1, -0x1p-54, 1, "f64: value is the nearest already, ties resolved"},
      {&f64, nearest, 0x1.fffffffffffffp-2, 0x1p-55, 0x1.fffffffffffffp-2,
       "a residual rounded up to half an ulp does not outvote value"},
  };
  expect_rows(rows);
}

TEST(directed_rounding, moves_only_what_is_inexact_and_only_its_way) {
  const rounding_row rows[] = {
      {&f16, up, 1, 0, 1, "exact"},
      {&f16, up, 1, 0x1p-1074, 1 + 0x1p-10, "inexact by the residual alone"},
      {&f16, down, 1, 0x1p-1074, 1, "the same, downwards"},
      {&f16, up, 1, -0x1p-60, 1, "from just below"},
      {&f16, down, 1, -0x1p-60, 1 - 0x1p-11, "the gap below a power of two is half"},
      {&f64, down, 1, -0x1p-60, 1 - 0x1p-53, "the gap below a power of two is half"},
      {&f64, to_zero, 1, -0x1p-1074, 1 - 0x1p-53, "towards zero is below"},
      {&f64, up, 1, 0x1p-60, 1 + 0x1p-52, "f64 too"},
      {&f64, up, 1, -0x1p-60, 1, "f64 too"},
      {&f64, to_zero, 1, 0x1p-60, 1, "f64 too"},
      {&f16, up, 0x1p-1074, 0, 0x1p-24, "the smallest double is still above zero"},
      {&f16, down, 0x1p-1074, 0, 0, "a zero that keeps its sign"},
      {&f16, to_zero, 0x1.ffcp-24, 0, 0x1p-24, "truncation"},
      {&f16, up, 65504, 0x1p-40, infinity, "above the largest"},
      {&f16, down, 1e300, 0, 65504, "IEEE 754: overflow stops short"},
      {&f16, to_zero, 1e300, 0, 65504, "IEEE 754: overflow stops short"},
      {&f8_e4m3fn, to_zero, 1e300, 0, 448, "no infinity needed"},
      {&f8_e4m3fn, up, 449, 0, not_a_number, "an infinity needed"},
      {&f64, up, largest_f64, 0x1p900, infinity, "f64 overflows by a residual"},
      {&f16, down, infinity, 0, infinity, "an infinity is exact"},
      {&f16, down, 0x1p-14, -0x1p-70, 0x1p-14 - 0x1p-24, "from normal to subnormal"},
  };
  expect_rows(rows);
}

TEST(saturation, replaces_every_infinity_by_the_largest_number) {
  const rounding up_saturating{rounding_mode::up, subnormal_mode::kept, overflow_mode::saturate};
  const rounding_row rows[] = {
      {&f16, saturating, 65520, 0, 65504, "an overflow"},
      {&f16, saturating, infinity, 0, 65504, "an infinite operand"},
      {&f8_e4m3fn, saturating, 1e300, 0, 448, "an overflow without infinities"},
      {&f8_e4m3fn, saturating, infinity, 0, 448, "an infinite operand"},
      {&f8_e4m3fn, nearest, infinity, 0, not_a_number, "not asked to saturate"},
      {&f8_e4m3fn, saturating, not_a_number, 0, not_a_number, "NaN is no overflow"},
      {&f8_e5m2, up_saturating, 57345, 0, 57344, "upwards too"},
      {&f64, saturating, infinity, 0, largest_f64, "f64 too"},
      {&f16, saturating, 65519, 0, 65504, "no overflow"},
  };
  expect_rows(rows);
}

TEST(flushing, makes_subnormal_results_zeros_of_their_sign) {
  const rounding up_flushed{rounding_mode::up, subnormal_mode::flushed};
  const rounding_row rows[] = {
      {&f16, flushed, 0x1p-15, 0, 0, "subnormal"},
      {&f16, flushed, 0x1p-14, 0, 0x1p-14, "the smallest normal stays"},
      {&f16, flushed, 0x1p-14 - 0x1p-26, 0, 0x1p-14, "normal after rounding"},
      {&f16, flushed, 0x1p-14 - 0x1p-24, 0, 0, "the largest subnormal"},
      {&f16, up_flushed, 0x1p-300, 0, 0, "rounded up to a subnormal, then flushed"},
      {&f64, flushed, 0x1p-1030, 0, 0, "f64 too"},
  };
  expect_rows(rows);
}

TEST(rounding, keeps_zeros_infinities_and_nan) {
  for (const format* f : all_formats)
    for (const rounding how : deterministic_roundings()) {
      EXPECT_TRUE(is_same_number(round_to(*f, how, 0.0), 0.0)) << f->name;
      EXPECT_TRUE(is_same_number(round_to(*f, how, -0.0), -0.0)) << f->name;
      EXPECT_TRUE(std::isnan(round_to(*f, how, not_a_number))) << f->name;
    }
  EXPECT_EQ(round_to(f16, nearest, -infinity), -infinity);
}

TEST(rounding, to_f32_agrees_with_the_processors_conversion) {
  std::mt19937_64 bits(3);
  for (int i = 0; i < 1 << 22; ++i) {
    const std::uint64_t pattern = bits();
    // Exponents about f32's range, its subnormals and both ends included.
    const std::uint64_t field = 1023 - 160 + (pattern >> 52) % 300;
    const double x = std::bit_cast<double>((pattern & 0x800fffffffffffff) | field << 52);
    ASSERT_TRUE(is_same_number(round_to(f32, nearest, x), static_cast<float>(x))) << number_text(x);
  }
}

TEST(rounding, by_scale_reaches_beyond_the_doubles) {
  EXPECT_EQ(round_once(f64, up, {0x1p-1000, 0, -1000}), 0x1p-1074);
  EXPECT_EQ(round_once(f64, nearest, {1, 0, -1075}), 0) << "a tie with zero";
  EXPECT_EQ(round_once(f64, nearest, {1, 0x1p-60, -1075}), 0x1p-1074) << "just above it";
  EXPECT_EQ(round_once(f64, nearest, {1, -0x1p-60, -1074}), 0x1p-1074);
  EXPECT_EQ(round_once(f64, down, {1, -0x1p-60, -1074}), 0);
  EXPECT_EQ(round_once(f64, nearest, {1, 0, 1024}), infinity);
  EXPECT_EQ(round_once(f64, down, {1, 0, 4000}), largest_f64);
  EXPECT_EQ(round_once(f64, nearest, {2, 0, 1022}), 0x1p1023);
}

// The share of the 2^64 random words for which the rounding goes up, found by bisection: a word
// goes away from zero when it is below a threshold.
double share_rounded_up(const format& f, double value, double residual) {
  const double first = round_to(f, stochastic, value, residual, 0);
  if (first == round_to(f, stochastic, value, residual, ~std::uint64_t{0})) return 0;
  std::uint64_t threshold = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 63; bit != 0; bit >>= 1)
    if (round_to(f, stochastic, value, residual, threshold + bit - 1) == first) threshold += bit;
  const double share = static_cast<double>(threshold) * 0x1p-64;
  return value > 0 ? share : 1 - share;
}

struct share_row {
  const format* f;
  double value;
  double residual;
  double share;
  const char* why;
};

TEST(stochastic_rounding, goes_up_with_the_exact_probability) {
  const share_row rows[] = {
      {&f16, 1 + 0x1p-11, 0, 0.5, "half-way"},
      {&f16, 1 + 0x1p-12, 0, 0.25, "a quarter of the way"},
      {&f16, -1 - 0x1p-12, 0, 0.75, "up is towards zero"},
      {&f16, 1 - 0x1p-13, 0, 0.75, "the gap below 1 is half"},
      {&f16, 0x1p-26, 0, 0.25, "between zero and the smallest subnormal"},
      {&f16, 0x1p-50, 0, 0x1p-26, "far below the smallest subnormal"},
      {&f16, 65512, 0, 0.25, "between the largest and 2^16, which overflows"},
      {&f32, 1 + 0x1p-25, 0x1p-57, 0.25 + 0x1p-34, "the residual counts"},
      {&f64, 1, 0x1p-54, 0.25, "between doubles"},
      {&f64, 1, -0x1p-55, 0.75, "below a power of two"},
      {&f64, -1, 0x1p-55, 0.25, "the same, mirrored"},
      {&f64, 1.5, 0x1.555555p-54, 0x1.555555p-2, "between doubles"},
      {&f64, 1.5, -0x1.555555p-54, 1 - 0x1.555555p-2, "between doubles"},
      {&f64, 0x1p-1074, 0, 0, "exact"},
  };
  for (const share_row& row : rows)
    EXPECT_NEAR(share_rounded_up(*row.f, row.value, row.residual), row.share, 0x1p-32)
        << row.f->name << ": " << row.why;
}

TEST(stochastic_rounding, never_moves_an_exact_value) {
  for (const format* f : {&f16, &bf16, &f8_e4m3fn, &f8_e4m3, &f8_e5m2})
    for (std::uint64_t bits = 0; bits < std::uint64_t{1} << f->storage_bits; ++bits)
      for (const std::uint64_t random : {std::uint64_t{0}, ~std::uint64_t{0}}) {
        const double value = decode(*f, bits);
        const double expected = std::isnan(value) ? not_a_number : value;
        ASSERT_TRUE(is_same_number(round_to(*f, stochastic, value, 0, random), expected));
      }
}

TEST(stochastic_rounding, of_an_overflow_is_certain_past_the_next_step) {
  for (const std::uint64_t random : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    EXPECT_EQ(round_to(f16, stochastic, 65536, 0, random), infinity);
    EXPECT_TRUE(std::isnan(round_to(f8_e4m3fn, stochastic, 500, 0, random)));
  }
}

// Hoeffding: the mean of n draws in [0, 1] errs by more than t with probability at most 2 exp(-2 n
// t^2). With n = 2^20 and t = 0.0032 that is below 10^-9 a row, were the seed not fixed.
TEST(stochastic_rounding, has_the_right_mean) {
  constexpr int draws = 1 << 20;
  for (const double share : {0.125, 0.3, 0.5, 0.9}) {
    const double x = 3 + share * 0x1p-9;
    int ups = 0;
    for (int i = 0; i < draws; ++i)
      ups += round_to(f16, stochastic, x, 0, random_bits(7, 0, static_cast<std::uint64_t>(i))) > x;
    EXPECT_NEAR(static_cast<double>(ups) / draws, share, 0.0032);
  }
}

}  // namespace
}  // namespace attest
