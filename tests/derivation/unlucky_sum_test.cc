// Sums are as unlucky as rounding allows, and not more.
#include "derivation/unlucky/unlucky_sum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace attest {
namespace {

constexpr int count = 65536;

// 1 + 65536 terms of that size, one after the other in float32.
double sum_of(double size, pressure push) {
  luck draws(1);
  unlucky_unit unit({&f32}, {push, false}, draws);
  const std::vector<term> terms(count, term{real{size, 0}});
  return unlucky_sum(unit, {}, terms, one, 1, draws).hi;
}

// To nearest an addition is off by what it adds at most, to either side alike.
TEST(unlucky_sum, of_terms_below_a_rounding_is_off_by_no_more_than_they_are) {
  const double size = 0x1p-30, all = count * size;
  EXPECT_DOUBLE_EQ(sum_of(size, pressure::down), 1) << "all of them are lost";
  EXPECT_DOUBLE_EQ(sum_of(size, pressure::up), 1 + 2 * all);
  EXPECT_NEAR(sum_of(size, pressure::random), 1 + all, 6 * std::sqrt(count) * size);
}

TEST(unlucky_sum, of_terms_beyond_a_rounding_is_off_by_one_each) {
  const double size = 0x1p-16, u = 0x1p-24, sum = 1 + count * size;
  EXPECT_NEAR(sum_of(size, pressure::up), sum + 1.5 * count * u, 0.01 * count * u);
  EXPECT_NEAR(sum_of(size, pressure::random), sum, 6 * std::sqrt(count) * 2 * u);
}

}  // namespace
}  // namespace attest
