#include "reference/certified/settle.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>

#include "reference/exact/exact_row.h"
#include "reference/problems/problem_spec.h"
#include "tests/reference/backends/random_spec.h"
#include "tests/reference/certified/agreement.h"
#include "tests/reference/certified/instruction_sets.h"

namespace attest {
namespace {

problem ordinary(std::int64_t queries) {
  problem_spec spec;
  spec.dims = {1, 2, 1, queries, 150, 16, 3};
  return materialise(spec);
}

// Settles nothing until the third time, and so sees the enclosures of every pass.
TEST(settle, asks_with_enclosures_that_hold_the_exact_value) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const problem_spec spec = random_spec(seed, seed % 2 == 0 ? f32 : f16);
    const problem p = materialise(spec);
    std::map<element_place, int> times;
    settle(p, [&](const element_place& at, const enclosure& x) {
      const exact_row exact = compute_exact_row(p, at.row);
      const enclosure& expected =
          at.column < 0 ? exact.lse : exact.output[static_cast<std::size_t>(at.column)];
      EXPECT_TRUE(agree(x, expected))
          << to_line(spec) << " column " << at.column << " radius " << x.radius;
      return ++times[at] == 3;
    });
  }
}

TEST(settle, stays_in_double_where_that_is_enough) {
  const settlement s = settle(
      ordinary(70), [](const element_place&, const enclosure& x) { return x.radius < 1e-11; });
  EXPECT_EQ(s.in_double, 140);
  EXPECT_EQ(s.in_double_double + s.in_multiprecision, 0);
  EXPECT_TRUE(s.open.empty());
}

TEST(settle, goes_on_in_double_double_and_multiprecision) {
  const auto asking_for = [](double radius) {
    return [radius](const element_place&, const enclosure& x) { return x.radius < radius; };
  };
  EXPECT_EQ(settle(ordinary(5), asking_for(1e-25)).in_double_double, 10);
  EXPECT_EQ(settle(ordinary(2), asking_for(1e-31)).in_multiprecision, 4);
}

TEST(settle, tells_what_no_precision_settles) {
  const settlement s = settle(ordinary(2), [](const element_place& at, const enclosure&) {
    return at.row.h != 1 || at.column != 2;
  });
  const std::vector<element_place> expected{{{0, 1, 0}, 2}, {{0, 1, 1}, 2}};
  EXPECT_EQ(s.open, expected);
  EXPECT_EQ(s.in_double, 2);
}

// The enclosures of the first pass, mixed in the order of their places.
std::uint64_t first_bits(const problem& p) {
  std::uint64_t mixed = 0;
  settle(p, [&](const element_place&, const enclosure& x) {
    for (const double part : {x.high, x.low, x.radius})
      mixed = (mixed ^ std::bit_cast<std::uint64_t>(part)) * 0x9e3779b97f4a7c15;
    return true;
  });
  return mixed;
}

TEST(settle, has_the_same_first_bits_for_every_instruction_set) {
  problem_spec spec = random_spec(3, f32);
  spec.dims = {1, 2, 1, 37, 150, 16, 19};
  for (const bool capped : {false, true}) {
    spec.soft_cap = capped ? 4 : 0;
    const problem p = materialise(spec);
    const std::uint64_t best = first_bits(p);
    for_each_instruction_set([&](const char* name) { EXPECT_EQ(first_bits(p), best) << name; });
  }
}

}  // namespace
}  // namespace attest
