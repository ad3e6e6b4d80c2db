// A row whose logits are given is that of the problem whose scores they are.
#include "reference/exact/logit_row.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/backends/answer.h"
#include "reference/exact/exact_row.h"
#include "reference/problems/problem_spec.h"

namespace attest {
namespace {

problem posed() {
  problem_spec spec;
  spec.dims = {1, 2, 1, 3, 9, 8, 4};
  return materialise(spec);
}

// c q.k of every key.
std::vector<given_logit> logits_of(const problem& p, const row_index& place) {
  const interval c = interval(1) / sqrt(interval(static_cast<double>(p.dims.width)));
  std::vector<given_logit> logits;
  for (std::int64_t j = 0; j < p.dims.keys; ++j) {
    interval sum(0);
    for (std::int64_t t = 0; t < p.dims.width; ++t)
      sum = sum + interval(p.q.at(place.b, place.h, place.i, t)) *
                      interval(p.k.at(place.b, p.kv_head(place.h), j, t));
    logits.push_back({j, c * sum});
  }
  return logits;
}

void expect_near(double found, double due) { EXPECT_NEAR(found, due, 0x1p-50 * std::fabs(due)); }

TEST(logit_row, describes_the_problems_own_row) {
  const problem p = posed();
  for_each_row(p.dims, [&](const row_index& place) {
    const exact_row due = compute_exact_row(p, place);
    const logit_row found = row_of_logits(p, place, logits_of(p, place));
    ASSERT_EQ(found.row.keys.size(), due.keys.size());
    expect_near(found.row.greatest, due.greatest);
    expect_near(found.row.log_mass, due.log_mass);
    expect_near(found.row.scale, due.scale);
    for (std::size_t n = 0; n < due.keys.size(); ++n) {
      const exact_key &a = found.row.keys[n], &b = due.keys[n];
      EXPECT_EQ(a.key, b.key);
      expect_near(a.logit, b.logit);
      expect_near(a.gap, b.gap);
      expect_near(a.weight, b.weight);
      expect_near(a.capped, b.capped);
      expect_near(a.magnitude, b.magnitude);
      expect_near(a.unscaled, b.unscaled);
      expect_near(a.operands, b.operands);
    }
    for (std::int64_t d = 0; d < p.dims.value_width; ++d) {
      const enclosure o = found.output(p, place, d);
      const enclosure& exact = due.output[static_cast<std::size_t>(d)];
      EXPECT_EQ(o.high, exact.high);
      EXPECT_EQ(o.low, exact.low);
      EXPECT_LE(o.radius, 0x1p-100 * std::fabs(o.high));
    }
  });
}

// The lowest number of a format, as masks have it.
TEST(logit_row, of_a_key_far_below_the_others_counts_a_gap_that_no_format_reaches) {
  const problem p = posed();
  std::vector<given_logit> logits = logits_of(p, {0, 0, 0});
  logits[2].logit = interval(-0x1.fp127);
  const logit_row found = row_of_logits(p, {0, 0, 0}, logits);
  EXPECT_EQ(found.row.keys[2].weight, 0);
  EXPECT_EQ(found.row.keys[2].gap, most_gap);
  EXPECT_EQ(found.row.keys[2].logit, found.row.greatest - most_gap);
}

}  // namespace
}  // namespace attest
