// The reference against double, against another 100 digits, and against what it says of its own
// error.
#include "reference/exact/exact_row.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/backends/answer.h"
#include "reference/definition/attention.h"
#include "tests/reference/backends/random_spec.h"
#include "tests/reference/exact/bin_float_row.h"

namespace attest {
namespace {

constexpr std::uint64_t seeds = 150;

template <class Check>
void for_random_rows(const format& inputs, Check check) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const problem_spec spec = random_spec(seed, inputs);
    SCOPED_TRACE(to_line(spec));
    const problem p = materialise(spec);
    for_each_row(p.dims, [&](const row_index& row) { check(p, row, compute_exact_row(p, row)); });
  }
}

double weighted_size(const problem& p, const row_index& place, const exact_row& row,
                     std::int64_t d) {
  double sum = 0;
  for (std::size_t n = 0; n < row.keys.size(); ++n)
    sum += row.keys[n].weight * std::fabs(row.value(p, place, n, d));
  return sum;
}

// The scores of a row decide how far double can be off: by some 2^-50 of them.
double score_size(const exact_row& row) {
  double size = 1;
  for (const exact_key& k : row.keys) size = std::max(size, k.magnitude + k.bias + k.capped);
  return size;
}

TEST(exact_row, agrees_with_the_definition_in_double) {
  for_random_rows(f64, [](const problem& p, const row_index& place, const exact_row& exact) {
    if (exact.empty()) return;
    const attention_row<double> row = attention<double>(p, place);
    for (std::size_t d = 0; d < row.output.size(); ++d) {
      if (!std::isfinite(exact.output[d].high)) continue;
      const double size = 1e-300 + weighted_size(p, place, exact, static_cast<std::int64_t>(d));
      ASSERT_LE(distance_to(exact.output[d], row.output[d]).most, 1e-12 * size * score_size(exact));
    }
    ASSERT_LE(distance_to(exact.lse, as_declared(p.rules, row.lse)).most,
              1e-12 * score_size(exact));
  });
}

TEST(exact_row, is_as_certain_as_it_promises) {
  for_random_rows(f32, [](const problem& p, const row_index& place, const exact_row& exact) {
    for (std::size_t d = 0; d < exact.output.size(); ++d) {
      const enclosure& o = exact.output[d];
      const double size = weighted_size(p, place, exact, static_cast<std::int64_t>(d));
      if (!std::isfinite(o.high)) continue;
      ASSERT_LE(o.radius, 0x1p-104 * std::fabs(o.high) + 0x1p-200 * (size + 0x1p-800));
      ASSERT_EQ(o.high + o.low, o.high) << "low is at most half an ulp of high";
    }
    if (!std::isfinite(exact.lse.high)) return;
    ASSERT_LE(exact.lse.radius, 0x1p-104 * std::fabs(exact.lse.high) + 0x1p-200);
  });
}

TEST(exact_row, encloses_another_evaluation_to_100_digits) {
  for (const format* inputs : {&f64, &f16})
    for_random_rows(*inputs, [](const problem& p, const row_index& place, const exact_row& exact) {
      ASSERT_EQ(disagreement_with_bin_float(p, place, exact), "");
    });
}

// The check above must be able to fail.
TEST(exact_row, a_shifted_enclosure_is_found_out) {
  const problem p = materialise(random_spec(1, f32));
  exact_row row = compute_exact_row(p, {0, 0, 0});
  ASSERT_FALSE(row.empty());
  ASSERT_EQ(disagreement_with_bin_float(p, {0, 0, 0}, row), "");
  row.output[0].low += 0x1p-100 * std::fabs(row.output[0].high);
  EXPECT_NE(disagreement_with_bin_float(p, {0, 0, 0}, row), "");
}

TEST(exact_row, lists_kept_keys_then_the_sink) {
  const problem p =
      materialise(parse_problem_line("Lq=2 Lk=4 D=3 Dv=2 causal=top_left sink=1 seed=3"));
  const exact_row row = compute_exact_row(p, {0, 0, 1});
  ASSERT_EQ(row.keys.size(), 3u);
  EXPECT_EQ(row.keys[0].key, 0);
  EXPECT_EQ(row.keys[1].key, 1);
  EXPECT_EQ(row.keys[2].key, sink_key);
  EXPECT_EQ(row.value(p, {0, 0, 1}, 2, 0), 0);
  EXPECT_EQ(row.keys[2].logit, p.sink[0]);
}

TEST(exact_row, what_it_says_of_a_row_fits_together) {
  for_random_rows(f32, [](const problem&, const row_index&, const exact_row& row) {
    if (row.empty()) return;
    double sum = 0, least_gap = 1;
    for (const exact_key& k : row.keys) {
      sum += k.weight;
      least_gap = std::min(least_gap, k.gap);
      ASSERT_GE(k.gap, 0);
      ASSERT_LE(k.logit, row.greatest);
    }
    ASSERT_NEAR(sum, 1, 1e-12);
    ASSERT_EQ(least_gap, 0) << "the greatest is one of them";
    ASSERT_GE(row.log_mass, 0) << "its exponential alone is 1";
  });
}

}  // namespace
}  // namespace attest
