// The interval against 100-digit arithmetic, against its own rounding, and where nothing is known.
#include "reference/multiprecision/interval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/definition/number.h"
#include "reference/multiprecision/mpfr100.h"
#include "reference/multiprecision/mpfr_text.h"
#include "reference/random.h"

namespace attest::test {
namespace {

static_assert(Number<interval>);
static_assert(interval_bits <
              std::numeric_limits<mpfr100>::digits);  // containment tests rest on it

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::uint64_t seed = 20261129;
constexpr std::uint64_t draws = 2000;

double drawn(std::uint64_t stream, std::uint64_t n) {
  const int exponent = static_cast<int>(random_below(seed, stream + 100, n, 12)) - 6;
  return std::ldexp(random_normal(seed, stream, n), exponent);
}

// An interval about x, and a real number in it that is neither end.
interval around(double x) {
  return interval::between(x - 0.25 * std::fabs(x), x + 0.125 * std::fabs(x));
}

mpfr_srcptr raw(const mpfr100& x) { return x.backend().data(); }

bool is_whole_line(const interval& x) { return contains(x, -infinity) && contains(x, infinity); }

template <class Check>
void for_each_pair(Check check) {
  for (std::uint64_t n = 0; n < draws; ++n) check(drawn(1, n), drawn(2, n));
}

TEST(interval, contains_the_sum_difference_product_and_quotient_of_what_it_is_given) {
  for_each_pair([](double a, double b) {
    const mpfr100 x(a), y(b);
    for (const auto& [u, v] : {std::pair{interval(a), interval(b)}, {around(a), around(b)}}) {
      ASSERT_TRUE(contains(u + v, raw(x + y))) << a << ' ' << b;
      ASSERT_TRUE(contains(u - v, raw(x - y))) << a << ' ' << b;
      ASSERT_TRUE(contains(u * v, raw(x * y))) << a << ' ' << b;
      ASSERT_TRUE(contains(u / v, raw(x / y))) << a << ' ' << b;
    }
  });
}

TEST(interval, contains_the_functions_of_what_it_is_given) {
  for_each_pair([](double a, double) {
    const mpfr100 x(a), positive(std::fabs(a));
    for (const auto& [u, v] :
         {std::pair{interval(a), interval(std::fabs(a))}, {around(a), around(std::fabs(a))}}) {
      ASSERT_TRUE(contains(exp(u), raw(exp(x)))) << a;
      ASSERT_TRUE(contains(tanh(u), raw(tanh(x)))) << a;
      ASSERT_TRUE(contains(log(v), raw(log(positive)))) << a;
      ASSERT_TRUE(contains(sqrt(v), raw(sqrt(positive)))) << a;
    }
  });
}

// Products and quotients take their extremes at corners, whatever the signs.
TEST(interval, contains_the_results_at_every_corner) {
  for (const double lower : {-3.0, -1.0, 0.0, 0.5})
    for (const double c : {-2.0, -0.5, 0.25, 3.0}) {
      const interval x = interval::between(lower, lower + 2), y = interval::between(c, c + 0.125);
      for (const double a : {lower, lower + 2})
        for (const double b : {c, c + 0.125}) {
          EXPECT_TRUE(contains(x * y, a * b)) << a << ' ' << b;
          EXPECT_TRUE(contains(x / y, raw(mpfr100(a) / b))) << a << ' ' << b;
        }
    }
}

TEST(interval, is_as_narrow_as_its_bits_allow) {
  const interval third = interval(1) / interval(3);
  EXPECT_GT(width(third), 0);
  EXPECT_LE(width(third), std::ldexp(1.0, -1 - static_cast<int>(interval_bits)));
  EXPECT_EQ(width(interval(1) + interval(2)), 0);
}

TEST(interval, rounds_its_ends_apart) {
  const interval third = interval(1) / interval(3);
  EXPECT_TRUE(contains(third, raw(mpfr100(1) / 3)));
  EXPECT_LT(mpfr_cmp(third.lower(), raw(mpfr100(1) / 3)), 0);
  EXPECT_GT(mpfr_cmp(third.upper(), raw(mpfr100(1) / 3)), 0);
  EXPECT_TRUE(contains(third * interval(3), 1));
  EXPECT_FALSE(identical(third * interval(3), interval(1)));
}

TEST(interval, functions_grow_with_their_operand) {
  for (const auto f : {exp, tanh, log, sqrt}) {
    const interval low = f(interval::between(0.5, 1)), high = f(interval::between(1.5, 2));
    EXPECT_TRUE(certainly_less(low, high));
    const interval both = f(interval::between(0.5, 2));
    EXPECT_TRUE(mpfr_equal_p(both.lower(), low.lower()));
    EXPECT_TRUE(mpfr_equal_p(both.upper(), high.upper()));
  }
}

TEST(interval, a_divisor_that_contains_zero_leaves_the_whole_line) {
  for (const interval& divisor : {interval(0), interval::between(-1, 1), interval::between(0, 1),
                                  interval::between(-1, -0.0)})
    EXPECT_TRUE(is_whole_line(interval(1) / divisor));
  EXPECT_FALSE(is_whole_line(interval(1) / interval::between(0x1p-1000, 1)));
}

TEST(interval, what_is_not_defined_leaves_the_whole_line) {
  EXPECT_TRUE(is_whole_line(log(interval::between(-1, 2))));
  EXPECT_TRUE(is_whole_line(sqrt(interval::between(-1, 2))));
  EXPECT_TRUE(is_whole_line(interval(std::nan(""))));
  EXPECT_TRUE(is_whole_line(interval(infinity) - interval(infinity)));
  EXPECT_TRUE(is_whole_line(interval::between(0, 1) * interval::between(1, infinity)));
  EXPECT_TRUE(is_whole_line(interval::whole_line() + interval(1)));
}

TEST(interval, minus_infinity_has_exponential_0_and_is_the_log_of_0) {
  EXPECT_TRUE(identical(exp(interval(-infinity)), interval(0)));
  EXPECT_TRUE(identical(log(interval(0)), interval(-infinity)));
}

TEST(interval, decides_only_what_is_certain) {
  const interval low = interval::between(0, 1), high = interval::between(2, 3);
  const interval touching = interval::between(1, 2);
  EXPECT_TRUE(certainly_less(low, high));
  EXPECT_TRUE(disjoint(high, low));
  EXPECT_FALSE(certainly_less(low, touching));
  EXPECT_FALSE(disjoint(low, touching));
  EXPECT_FALSE(disjoint(interval::whole_line(), low));
  EXPECT_TRUE(low < touching);  // by midpoints: an order, not a decision
  EXPECT_FALSE(interval::whole_line() < low);
}

TEST(interval, shows_only_decimals_that_are_certain) {
  EXPECT_EQ(certain_decimals(interval(1) / interval(3), 3), "0.333");
  EXPECT_EQ(certain_decimals(interval::between(0.12345, 0.12399), 6), "0.12");
  EXPECT_EQ(certain_decimals(interval(1), 3), "1.000");
  EXPECT_EQ(certain_decimals(interval::between(-1, 1), 3), "?");
}

TEST(mpfr_text, rounds_to_nearest) {
  EXPECT_EQ(fixed_text(raw(mpfr100(2) / 3), 3), "0.667");
  EXPECT_EQ(significant_text(raw(mpfr100(2) / 3), 5), "0.66667");
  EXPECT_EQ(significant_text(raw(mpfr100(4)), 50), "4");
}

}  // namespace
}  // namespace attest::test
