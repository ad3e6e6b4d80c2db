// Each function of intervals holds what double makes of points inside, and no more than its range.
#include "reference/multiprecision/interval_functions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/random.h"

namespace attest::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::uint64_t seed = 20261204;

double drawn(std::uint64_t stream, std::uint64_t n) { return 3 * random_normal(seed, stream, n); }

// Room for the rounding of a function in double.
interval about(double x) {
  const double room = 0x1p-50 * (std::fabs(x) + 0x1p-40);
  return interval::between(x - room, x + room);
}

bool meets(const interval& x, double value) { return !disjoint(x, about(value)); }

struct function_row {
  const char* name;
  interval (*of)(const interval&);
  double (*plain)(double);
};

const function_row functions[] = {
    {"-", [](const interval& x) { return -x; }, [](double x) { return -x; }},
    {"abs", [](const interval& x) { return abs(x); }, [](double x) { return std::fabs(x); }},
    {"erf", [](const interval& x) { return erf(x); }, [](double x) { return std::erf(x); }},
    {"sigmoid", [](const interval& x) { return sigmoid(x); },
     [](double x) { return 1 / (1 + std::exp(-x)); }},
    {"floor", [](const interval& x) { return floor(x); }, [](double x) { return std::floor(x); }},
    {"ceil", [](const interval& x) { return ceil(x); }, [](double x) { return std::ceil(x); }},
    {"truncate", [](const interval& x) { return truncate(x); },
     [](double x) { return std::trunc(x); }},
    {"round", [](const interval& x) { return round_to_even(x); },
     [](double x) { return std::nearbyint(x); }},
    {"sign", [](const interval& x) { return sign(x); },
     [](double x) { return double((x > 0) - (x < 0)); }},
};

TEST(interval_functions, hold_every_point_and_are_narrow_at_one) {
  for (const function_row& row : functions)
    for (std::uint64_t n = 0; n < 500; ++n) {
      const double x = drawn(0, n), reach = std::fabs(drawn(1, n));
      const interval around = row.of(interval::between(x - reach, x + reach));
      for (const double share : {-1.0, -0.5, 0.0, 0.75, 1.0})
        EXPECT_TRUE(meets(around, row.plain(x + share * reach))) << row.name << ' ' << x;
      const interval at = row.of(interval(x));
      EXPECT_TRUE(meets(at, row.plain(x))) << row.name << ' ' << x;
      EXPECT_LE(width(at), 0x1p-240) << row.name << ' ' << x;
    }
}

TEST(interval_functions, round_half_to_even) {
  EXPECT_TRUE(identical(round_to_even(interval::between(0.5, 1.5)), interval::between(0, 2)));
  EXPECT_TRUE(identical(round_to_even(interval(-2.5)), interval(-2)));
  EXPECT_TRUE(identical(floor(interval(-0.5)), interval(-1)));
  EXPECT_TRUE(identical(abs(interval::between(-3, 2)), interval::between(0, 3)));
}

TEST(interval_functions, raise_to_powers) {
  for (std::uint64_t n = 0; n < 500; ++n) {
    const double x = drawn(2, n), positive = std::fabs(x), y = drawn(3, n);
    EXPECT_TRUE(meets(power(interval(positive), interval(y)), std::pow(positive, y)));
    for (const double whole : {-3.0, -2.0, 0.0, 1.0, 2.0, 5.0})
      EXPECT_TRUE(meets(power(interval(x), interval(whole)), std::pow(x, whole))) << x;
  }
  EXPECT_TRUE(identical(power(interval::between(-2, 3), interval(2)), interval::between(0, 9)));
  EXPECT_TRUE(identical(power(interval::between(-2, 3), interval(3)), interval::between(-8, 27)));
  EXPECT_TRUE(identical(power(interval::between(-3, -2), interval(3)), interval::between(-27, -8)));
  EXPECT_TRUE(is_whole_line(power(interval::between(-2, 3), interval(0.5))));
  EXPECT_TRUE(is_whole_line(power(interval::between(-2, 3), interval(-1))));
}

TEST(interval_functions, tell_points_lines_and_bounds) {
  EXPECT_TRUE(is_whole_line(interval::whole_line()));
  EXPECT_FALSE(is_whole_line(interval(infinity)));
  EXPECT_TRUE(is_point(interval(-infinity)));
  EXPECT_FALSE(is_bounded(interval::between(0, infinity)));
  EXPECT_TRUE(is_bounded(interval::between(0, 1)));
  EXPECT_TRUE(identical(hull_of(interval(3), interval::between(-1, 2)), interval::between(-1, 3)));
  EXPECT_TRUE(
      identical(min_of(interval::between(0, 4), interval::between(1, 2)), interval::between(0, 2)));
}

}  // namespace
}  // namespace attest::test
