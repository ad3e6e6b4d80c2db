#include "reference/certified/certified_rows.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/backends/answer.h"
#include "reference/problems/problem_spec.h"
#include "tests/reference/backends/random_spec.h"

namespace attest {
namespace {

// Relative, and absolute for what may cancel.
void expect_close(double x, double y, double absolute, const std::string& what) {
  EXPECT_TRUE(x == y || std::fabs(x - y) <= 0x1p-40 * std::fabs(y) + absolute ||
              (std::isnan(x) && std::isnan(y)))
      << what << ": " << x << " for " << y;
}

void expect_close(const exact_row& x, const exact_row& y, const std::string& line) {
  ASSERT_EQ(x.keys.size(), y.keys.size()) << line;
  expect_close(x.greatest, y.greatest, 0x1p-60, "greatest in " + line);
  expect_close(x.log_mass, y.log_mass, 0x1p-60 * (1 + std::fabs(y.greatest)),
               "log_mass in " + line);
  expect_close(x.scale, y.scale, 0, "scale in " + line);
  for (std::size_t n = 0; n < x.keys.size(); ++n) {
    const exact_key &a = x.keys[n], &b = y.keys[n];
    EXPECT_EQ(a.key, b.key);
    const double cancelled = 0x1p-60 * (b.magnitude + b.bias + b.capped);
    expect_close(a.logit, b.logit, cancelled, "logit in " + line);
    expect_close(a.gap, b.gap, 2 * cancelled + 0x1p-60 * std::fabs(y.greatest), "gap in " + line);
    expect_close(a.capped, b.capped, cancelled, "capped in " + line);
    expect_close(a.bias, b.bias, 0, "bias in " + line);
    expect_close(a.magnitude, b.magnitude, 0, "magnitude in " + line);
    expect_close(a.unscaled, b.unscaled, 0, "unscaled in " + line);
    expect_close(a.operands, b.operands, 0, "operands in " + line);
    expect_close(a.weight, b.weight, b.weight * 0x1p-36 + 0x1p-1000, "weight in " + line);
  }
}

TEST(certified_rows, describe_keys_as_multiprecision_does) {
  for (std::uint64_t seed = 0; seed < 160; ++seed) {
    const format* const formats[] = {&f32, &f16, &bf16, &f64};
    const problem_spec spec = any_spec(seed, *formats[seed / 2 % 4]);
    const problem p = materialise(spec);
    certified_rows rows(p);
    for_each_row(p.dims, [&](const row_index& row) {
      expect_close(rows.at(row), compute_exact_row(p, row), to_line(spec));
    });
  }
}

TEST(certified_rows, come_in_any_order) {
  problem_spec spec;
  spec.dims = {2, 4, 2, 70, 20, 8, 3};
  const problem p = materialise(spec);
  certified_rows in_order(p), at_random(p);
  for (const row_index& row :
       {row_index{1, 3, 69}, row_index{0, 0, 0}, row_index{0, 2, 31}, row_index{0, 2, 30}}) {
    const double expected = in_order.at(row).output[1].high;
    at_random.at({0, 1, 5});
    EXPECT_EQ(at_random.at(row).output[1].high, expected);
  }
}

}  // namespace
}  // namespace attest
