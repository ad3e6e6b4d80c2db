// The three multiprecision numbers are second opinions on one another, and round as they should.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <cmath>

#include "reference/backends/answer.h"
#include "reference/backends/backend.h"
#include "reference/semantics/profiles.h"
#include "tests/reference/backends/digits.h"
#include "tests/reference/backends/random_spec.h"

namespace attest {
namespace {

// |x - y| / scale, in 400 bits. NaN and infinities agree only with their like.
double relative_distance(const std::string& x, const std::string& y, double scale) {
  if (x == y) return 0;
  mpfr_t a, b;
  mpfr_init2(a, 400);
  mpfr_init2(b, 400);
  mpfr_set_str(a, x.c_str(), 10, MPFR_RNDN);
  mpfr_set_str(b, y.c_str(), 10, MPFR_RNDN);
  mpfr_sub(a, a, b, MPFR_RNDN);
  const double distance = std::fabs(mpfr_get_d(a, MPFR_RNDN)) / scale;
  mpfr_clear(a);
  mpfr_clear(b);
  return distance;
}

double largest_value(const problem& p) {
  double largest = 1;
  for_each_index(p.v.sizes(),
                 [&](const index4& i) { largest = std::max(largest, std::fabs(p.v.at(i))); });
  return largest;
}

using digits_of = std::vector<std::string> (*)(const problem&, const row_index&, int);

double worst_distance(const problem& p, digits_of one, digits_of other, int digits) {
  double worst = 0;
  const double scale = largest_value(p);
  for_each_row(p.dims, [&](const row_index& place) {
    const auto x = one(p, place, digits), y = other(p, place, digits);
    for (std::size_t n = 0; n < x.size(); ++n)
      worst = std::max(worst, relative_distance(x[n], y[n], scale));
  });
  return worst;
}

// Scores below 100, so that no exponent costs more than two digits.
problem_spec moderate_spec(std::uint64_t seed) {
  problem_spec spec = random_spec(seed, f64);
  spec.regime = value_regime::normal;
  return spec;
}

TEST(multiprecision, numbers_agree_to_48_and_98_digits) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const problem p = materialise(moderate_spec(seed));
    EXPECT_LT(worst_distance(p, mp50_digits, mpfr_digits, 55), 1e-48)
        << to_line(moderate_spec(seed));
    EXPECT_LT(worst_distance(p, mp100_digits, mpfr_digits, 105), 1e-98)
        << to_line(moderate_spec(seed));
  }
}

// Equal scores make o a mean of values, which can be a tie that only an exact 1/n would see.
bool may_be_a_tie(const problem_spec& spec) {
  for (value_regime r :
       {value_regime::constant, value_regime::one_hot, value_regime::ties, value_regime::exact})
    if (spec.regime == r) return true;
  return spec.scale == 0.0 || find_profile(spec.profile).on_empty_row == empty_row::mean_of_values;
}

// Class included.
void expect_same_answers(const problem_spec& spec, const format& output) {
  if (may_be_a_tie(spec)) return;
  const problem p = materialise(spec);
  answer x(p, output, f64), y(p, output, f64), z(p, output, f64);
  const backend mp50 = find_backend("mp50"), mp100 = find_backend("mp100"),
                mpfr = find_backend("mpfr");
  mp50.evaluate(mp50, p, x.o, &x.lse);
  mp100.evaluate(mp100, p, y.o, &y.lse);
  mpfr.evaluate(mpfr, p, z.o, &z.lse);
  for (const answer* a : {&x, &y}) {
    EXPECT_TRUE(same_bits(a->o, z.o)) << to_line(spec) << ' ' << output.name;
    EXPECT_TRUE(same_bits(a->lse, z.lse)) << to_line(spec) << ' ' << output.name;
  }
}

TEST(multiprecision, numbers_round_to_the_same_bits) {
  for (std::uint64_t seed = 0; seed < 96; ++seed) {
    const format& element = *all_formats[seed % std::size(all_formats)];
    expect_same_answers(random_spec(seed, element), element);
    if (seed % 4 == 0) expect_same_answers(random_spec(seed, f64), element);
  }
}

// Two keys of equal scores: o = (v_0 + v_1) / 2, a tie of f16 but for a last bit that no double
// holds.
problem mean_of_two(double v0, double v1) {
  problem p;
  p.dims.keys = 2;
  p.q = tensor(f64, place(layout::bhld, p.dims.q_sizes()), 0);
  p.k = tensor(f64, place(layout::bhld, p.dims.k_sizes()), 0);
  p.v = tensor(f64, place(layout::bhld, p.dims.v_sizes()), 0);
  p.v.set({0, 0, 0, 0}, v0);
  p.v.set({0, 0, 1, 0}, v1);
  return p;
}

TEST(multiprecision, numbers_are_rounded_once) {
  const double tie = 1 + 0x1p-11;
  for (std::string_view name : {"mp50", "mp100", "mpfr"}) {
    const backend b = find_backend(name);
    for (double nudge : {0x1p-100, 0.0, -0x1p-100}) {
      const problem p = mean_of_two(2 * tie, 2 * nudge);
      answer a(p, f16, f64);
      b.evaluate(b, p, a.o, nullptr);
      EXPECT_EQ(a.o.at(0, 0, 0, 0), nudge > 0 ? 1 + 0x1p-10 : 1.0) << name << ' ' << nudge;
    }
  }
}

}  // namespace
}  // namespace attest
