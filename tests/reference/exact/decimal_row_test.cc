// Decimals of a row against its enclosures, against themselves at another length, and where nothing
// can be said.
#include "reference/exact/decimal_row.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <string>
#include <vector>

#include "reference/exact/exact_row.h"
#include "reference/multiprecision/interval.h"
#include "reference/multiprecision/mpfr_text.h"
#include "reference/problems/problem_spec.h"
#include "tests/reference/backends/random_spec.h"

namespace attest {
namespace {

using texts = std::vector<std::string>;

constexpr std::uint64_t problems = 40;

texts all_of(const decimal_row& row) {
  texts all = row.output;
  all.push_back(row.lse);
  return all;
}

bool is_number(const std::string& text) {
  return text.find_first_not_of("0123456789.e+-") == std::string::npos &&
         text.find("+-") == std::string::npos;
}

interval_end number_of(const std::string& text) {
  interval_end x;
  mpfr_set_str(x.get(), text.c_str(), 10, MPFR_RNDN);
  return x;
}

interval enclosed(const enclosure& x) {
  return interval(x.high) + interval(x.low) + interval::between(-x.radius, x.radius);
}

interval around(const std::string& text, const char* relative) {
  const interval x(number_of(text), number_of(text)), r(number_of(relative), number_of(relative));
  return x * (interval::between(1, 1) + r * interval::between(-1, 1));
}

void expect_near(const std::string& text, const enclosure& known) {
  if (!is_number(text)) return;
  EXPECT_FALSE(disjoint(around(text, "1e-39"), enclosed(known))) << text;
}

TEST(decimal_row, lies_where_the_exact_row_says) {
  for (std::uint64_t n = 0; n < problems; ++n) {
    const problem p = materialise(random_spec(n, f32));
    if (p.dims.queries == 0) continue;
    const exact_row exact = compute_exact_row(p, {});
    const decimal_row row = compute_decimal_row(p, {}, 40);
    ASSERT_EQ(row.output.size(), exact.output.size());
    for (std::size_t d = 0; d < row.output.size(); ++d) expect_near(row.output[d], exact.output[d]);
    expect_near(row.lse, exact.lse);
  }
}

TEST(decimal_row, fewer_digits_are_the_rounding_of_more) {
  const interval_precision scope(512);
  for (std::uint64_t n = 0; n < problems; ++n) {
    const problem p = materialise(random_spec(n, f32));
    if (p.dims.queries == 0) continue;
    const texts fewer = all_of(compute_decimal_row(p, {}, 30)),
                more = all_of(compute_decimal_row(p, {}, 90));
    for (std::size_t d = 0; d < fewer.size(); ++d) {
      if (!is_number(fewer[d])) continue;
      EXPECT_EQ(fewer[d], padded_text(number_of(more[d]).get(), 30)) << n << ' ' << more[d];
    }
  }
}

problem one_row(std::int64_t keys) {
  problem_spec spec;
  spec.dims.keys = keys;
  return materialise(spec);
}

TEST(decimal_row, an_empty_row_holds_what_the_semantics_gives_it) {
  problem p = one_row(0);
  decimal_row row = compute_decimal_row(p, {}, 50);
  EXPECT_EQ(row.output, texts{"0"});
  EXPECT_EQ(row.lse, "-inf");
  p.rules.on_empty_row = empty_row::nan;
  p.rules.on_empty_lse = empty_lse::plus_infinity;
  row = compute_decimal_row(p, {}, 50);
  EXPECT_EQ(row.output, texts{"nan"});
  EXPECT_EQ(row.lse, "inf");
}

TEST(decimal_row, scores_beyond_the_doubles_take_more_bits_and_are_certain) {
  problem p = one_row(2);
  p.q.set({0, 0, 0, 0}, 0x1p120);
  p.k.set({0, 0, 0, 0}, 0x1p120);
  p.k.set({0, 0, 1, 0}, 0x1p120);
  p.scale = 0x1p1000;  // lse is 2^1240 + ln 2
  const std::string lse = compute_decimal_row(p, {}, 90).lse;
  const interval_precision scope(2048);
  const interval power = interval(0x1p1000) * interval(0x1p240);
  EXPECT_EQ(lse, certain_significant(power + log(interval(2)), 90));
}

}  // namespace
}  // namespace attest
