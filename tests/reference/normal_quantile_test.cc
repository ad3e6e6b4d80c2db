// The normal quantile against the distribution function of MPFR.
#include "reference/elementary/normal_quantile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/random.h"
#include "tests/reference/exact_real.h"

namespace attest::test {
namespace {

// Phi(x) = erfc(-x / sqrt 2) / 2.
void set_to_phi(exact_real& phi, double x) {
  exact_real root(2);
  mpfr_sqrt(root.get(), root.get(), MPFR_RNDN);
  mpfr_d_div(phi.get(), -x, root.get(), MPFR_RNDN);
  mpfr_erfc(phi.get(), phi.get(), MPFR_RNDN);
  mpfr_div_ui(phi.get(), phi.get(), 2, MPFR_RNDN);
}

// phi(x) = exp(-x^2/2) / sqrt(2 pi), the slope of Phi.
void set_to_density(exact_real& density, double x) {
  exact_real norm;
  mpfr_const_pi(norm.get(), MPFR_RNDN);
  mpfr_mul_ui(norm.get(), norm.get(), 2, MPFR_RNDN);
  mpfr_sqrt(norm.get(), norm.get(), MPFR_RNDN);
  mpfr_mul(density.get(), exact_real(x).get(), exact_real(-x / 2).get(), MPFR_RNDN);
  mpfr_exp(density.get(), density.get(), MPFR_RNDN);
  mpfr_div(density.get(), density.get(), norm.get(), MPFR_RNDN);
}

// The error of the quantile relative to it, from that of Phi by its slope.
double relative_error(double p) {
  const double x = normal_quantile(p);
  if (x == 0) return p == 0.5 ? 0 : std::numeric_limits<double>::infinity();
  exact_real phi, density;
  set_to_phi(phi, x);
  set_to_density(density, x);
  mpfr_sub_d(phi.get(), phi.get(), p, MPFR_RNDN);
  mpfr_div(phi.get(), phi.get(), density.get(), MPFR_RNDN);
  return std::abs(mpfr_get_d(phi.get(), MPFR_RNDN) / x);
}

// The largest over 2 count probabilities, in the middle and in the lower tail down to 2^-1074.
double worst_relative_error(int count) {
  double worst = 0;
  for (int i = 0; i < count; ++i) {
    const double unit = random_unit(1, 0, i) + 0x1p-60;
    const double tail = std::ldexp(unit, -static_cast<int>(random_below(1, 1, i, 1015)));
    for (const double error : {relative_error(unit), relative_error(tail)}) {
      if (!(error <= worst)) worst = error;
    }
  }
  return worst;
}

TEST(normal_quantile, errs_by_less_than_its_bound) {
  const double worst = worst_relative_error(4'000);
  RecordProperty("worst_relative_error", testing::PrintToString(worst));
  EXPECT_LT(worst, normal_quantile_relative_error);
}

TEST(normal_quantile, errs_by_less_than_its_bound_where_its_pieces_meet) {
  for (const double p : {0.075, 0.925, 0.5, 1.3887943864964021e-11}) {
    double x = p * (1 - 500 * 0x1p-52);
    for (int i = 0; i < 1000; ++i, x = std::nextafter(x, 1)) {
      EXPECT_LT(relative_error(x), normal_quantile_relative_error);
    }
  }
}

TEST(normal_quantile, is_odd_about_one_half) {
  for (int i = 0; i < 10'000; ++i) {
    const double p = (2. * static_cast<double>(random_bits(1, 2, i) >> 12) + 1) * 0x1p-53;
    EXPECT_EQ(normal_quantile(1 - p), -normal_quantile(p));
  }
}

TEST(normal_quantile, has_limits_at_0_and_1_and_none_beyond) {
  EXPECT_EQ(normal_quantile(0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(normal_quantile(1), std::numeric_limits<double>::infinity());
  EXPECT_EQ(normal_quantile(0.5), 0);
  EXPECT_TRUE(std::isnan(normal_quantile(-0x1p-1074)));
  EXPECT_TRUE(std::isnan(normal_quantile(1.0000000000000002)));
  EXPECT_TRUE(std::isnan(normal_quantile(std::numeric_limits<double>::quiet_NaN())));
}

}  // namespace
}  // namespace attest::test
