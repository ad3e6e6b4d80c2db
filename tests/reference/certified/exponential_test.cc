// The exponential and the hyperbolic tangent of double-doubles against MPFR, against their limits,
// and against their own bits on every instruction set.
#include "reference/certified/exponential.h"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "reference/elementary/double_double.h"
#include "reference/random.h"
#include "tests/reference/exact_real.h"

namespace attest::test {
namespace {

constexpr std::uint64_t seed = 20250401;

// ---- Where the functions are tried -------------------------------------------------------------

using samples = std::vector<double_double>;

// hi and something below half its last place; normalised.
double_double with_low_part(double hi, std::uint64_t i) {
  if (std::abs(hi) < 0x1p-960) return {hi, 0};
  const double share = 2 * random_unit(seed, 1, i) - 1;
  return fast_two_sum(hi, std::ldexp(share, std::ilogb(hi) - 53));
}

samples uniform(double low, double high, int count) {
  samples ts;
  for (int i = 0; i < count; ++i)
    ts.push_back(with_low_part(low + (high - low) * random_unit(seed, 2, i), i));
  return ts;
}

// Numbers of either sign, each exponent in [low, high] as likely as another.
samples any_exponent(int low, int high, int count) {
  samples ts;
  for (int i = 0; i < count; ++i) {
    const int exponent = low + static_cast<int>(random_below(seed, 3, i, high - low + 1));
    const double sign = random_bits(seed, 4, i) % 2 == 0 ? 1 : -1;
    ts.push_back(with_low_part(std::ldexp(sign * (1 + random_unit(seed, 5, i)), exponent), i));
  }
  return ts;
}

// The double-double nearest to k ln2/1024.
double_double half_steps(std::int64_t k) {
  exact_real t;
  mpfr_const_log2(t.get(), MPFR_RNDN);
  mpfr_mul_si(t.get(), t.get(), k, MPFR_RNDN);
  mpfr_div_2ui(t.get(), t.get(), 10, MPFR_RNDN);
  const double hi = mpfr_get_d(t.get(), MPFR_RNDN);
  mpfr_sub_d(t.get(), t.get(), hi, MPFR_RNDN);
  return {hi, mpfr_get_d(t.get(), MPFR_RNDN)};
}

// For even k nothing but the error of the reduction is left over; for odd k the most that can be.
samples near_half_steps(std::int64_t reach, int count) {
  samples ts;
  for (int i = 0; i < count; ++i) {
    const auto k = static_cast<std::int64_t>(random_below(seed, 6, i, 2 * reach + 1)) - reach;
    const double_double t = half_steps(k);
    ts.push_back(t);
    ts.push_back(with_low_part(t.hi, i));
    ts.push_back(with_low_part(std::nextafter(t.hi, random_bits(seed, 7, i) % 2 ? 1e9 : -1e9), i));
  }
  return ts;
}

samples ends() {
  samples ts{{0, 0}, {-0., 0}};
  for (const double end : {exponential_domain, -exponential_domain}) {
    double hi = end;
    for (int i = 0; i < 1000; ++i, hi = std::nextafter(hi, 0)) {
      ts.push_back({hi, 0});
      if (i > 0) ts.push_back(with_low_part(hi, i));
    }
  }
  return ts;
}

struct region {
  const char* name;
  samples where;
};

std::vector<region> for_exponentials() {
  return {{"the whole domain", uniform(-exponential_domain, exponential_domain, 30'000)},
          {"a softmax", uniform(-50, 0, 20'000)},
          {"no step", uniform(-0.0007, 0.0007, 10'000)},
          {"tiny", any_exponent(-1074, 0, 10'000)},
          {"half steps", near_half_steps(24'204'000, 7'000)},
          {"the first half steps", near_half_steps(5'000, 2'000)},
          {"ends", ends()}};
}

std::vector<region> for_tanhs() {
  return {{"where it bends", uniform(-3, 3, 30'000)},
          {"until it saturates", uniform(-45, 45, 20'000)},
          {"tiny and huge", any_exponent(-1074, 1022, 10'000)}};
}

// ---- What they return --------------------------------------------------------------------------

struct columns {
  std::vector<double> hi, lo, power;
  explicit columns(std::size_t n) : hi(n), lo(n), power(n) {}
};

columns columns_of(const samples& ts) {
  columns c(ts.size());
  for (std::size_t i = 0; i < ts.size(); ++i) c.hi[i] = ts[i].hi, c.lo[i] = ts[i].lo;
  return c;
}

using function = columns (*)(const columns&);

columns exponentials(const columns& t) {
  columns y(t.hi.size());
  exponentials_of(t.hi.data(), t.lo.data(), t.hi.size(), y.hi.data(), y.lo.data(), y.power.data());
  return y;
}

columns tanhs(const columns& x) {
  columns y(x.hi.size());
  tanhs_of(x.hi.data(), x.lo.data(), x.hi.size(), y.hi.data(), y.lo.data());
  return y;
}

// y = (hi + lo) 2^power.
void set(exact_real& y, double hi, double lo, double power = 0) {
  mpfr_set_d(y.get(), hi, MPFR_RNDN);
  mpfr_add_d(y.get(), y.get(), lo, MPFR_RNDN);
  mpfr_mul_2si(y.get(), y.get(), static_cast<long>(power), MPFR_RNDN);
}

struct measured_function {
  const char* name;
  function ours;
  int (*exact)(mpfr_t, mpfr_srcptr, mpfr_rnd_t);
  bool relative;
  double bound;
  std::vector<region> (*regions)();
};

const measured_function measured[] = {
    {"exponential", exponentials, mpfr_exp, true, exponential_error, for_exponentials},
    {"tanh", tanhs, mpfr_tanh, false, tanh_error, for_tanhs}};

double largest_error(const measured_function& f, const samples& where) {
  const columns t = columns_of(where), y = f.ours(t);
  exact_real exact, ours;
  double largest = 0;
  for (std::size_t i = 0; i < where.size(); ++i) {
    set(exact, t.hi[i], t.lo[i]);
    f.exact(exact.get(), exact.get(), MPFR_RNDN);
    set(ours, y.hi[i], y.lo[i], y.power[i]);
    mpfr_sub(ours.get(), ours.get(), exact.get(), MPFR_RNDN);
    if (f.relative) mpfr_div(ours.get(), ours.get(), exact.get(), MPFR_RNDN);
    const double error = std::abs(mpfr_get_d(ours.get(), MPFR_RNDN));
    if (!(error <= largest)) largest = error;
  }
  return largest;
}

TEST(certified_exponential, errs_by_at_most_its_bound) {
  for (const measured_function& f : measured)
    for (const region& r : f.regions()) {
      const double error = largest_error(f, r.where);
      std::cout << f.name << ", " << r.name << ": " << error * 0x1p106 << " of "
                << f.bound * 0x1p106 << " x 2^-106\n";
      EXPECT_TRUE(error <= f.bound) << f.name << ", " << r.name;
    }
}

TEST(certified_exponential, gives_a_normalised_fraction_and_a_whole_power) {
  for (const region& r : for_exponentials()) {
    const columns y = exponentials(columns_of(r.where));
    for (std::size_t i = 0; i < y.hi.size(); ++i) {
      ASSERT_TRUE(y.hi[i] > 0.999 && y.hi[i] < 2) << y.hi[i];
      ASSERT_EQ(y.hi[i] + y.lo[i], y.hi[i]);
      ASSERT_EQ(y.power[i], std::nearbyint(y.power[i]));
    }
  }
}

TEST(certified_exponential, is_exact_at_its_limits) {
  const columns one = exponentials(columns_of({{0, 0}, {-0., 0}}));
  for (int i = 0; i < 2; ++i) EXPECT_EQ(one.hi[i] + one.lo[i] + one.power[i], 1);
  const columns y = tanhs(columns_of({{-0., 0}, {1e300, 0}, {-40, 0}, {5e-324, 0}, {1e-300, 0}}));
  EXPECT_TRUE(std::signbit(y.hi[0]));
  const std::vector<double> expected{0, 1, -1, 5e-324, 1e-300};
  EXPECT_EQ(y.hi, expected);
}

TEST(certified_exponential, of_an_odd_function_the_sign_follows) {
  for (const region& r : for_tanhs()) {
    samples negated = r.where;
    for (double_double& x : negated) x = {-x.hi, -x.lo};
    const columns plus = tanhs(columns_of(r.where)), minus = tanhs(columns_of(negated));
    for (std::size_t i = 0; i < plus.hi.size(); ++i) {
      ASSERT_EQ(plus.hi[i], -minus.hi[i]);
      ASSERT_EQ(plus.lo[i], -minus.lo[i]);
    }
  }
}

// ---- The bits themselves -----------------------------------------------------------------------

// FNV-1a, by words.
void hash_into(std::uint64_t& hash, const std::vector<double>& xs) {
  for (const double x : xs) hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 0x100000001b3;
}

// Of the results in all regions, also in rows too short for a vector.
std::uint64_t hash_of_results(const measured_function& f) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const region& r : f.regions())
    for (const samples& where : {r.where, samples(r.where.begin(), r.where.begin() + 3)}) {
      const columns y = f.ours(columns_of(where));
      for (const auto* part : {&y.hi, &y.lo, &y.power}) hash_into(hash, *part);
    }
  return hash;
}

std::vector<std::int64_t> targets() {
  std::vector<std::int64_t> all = hwy::SupportedAndGeneratedTargets();
  if (all.back() != HWY_STATIC_TARGET) all.push_back(HWY_STATIC_TARGET);
  return all;
}

struct golden_hash {
  const measured_function& f;
  std::uint64_t hash;
};

const golden_hash golden_hashes[] = {{measured[0], 0xa0ccf1e192233c7f},
                                     {measured[1], 0x766caaea35dc75}};

// The same on every compiler and machine. A change here changes radii: say so in CHANGELOG.md.
TEST(certified_exponential, has_the_bits_it_had_on_every_instruction_set) {
  for (const std::int64_t target : targets()) {
    hwy::SetSupportedTargetsForTest(target);
    for (const golden_hash& row : golden_hashes) {
      const std::uint64_t hash = hash_of_results(row.f);
      EXPECT_EQ(hash, row.hash) << row.f.name << std::hex << ": 0x" << hash << " on "
                                << hwy::TargetName(target);
    }
  }
  hwy::SetSupportedTargetsForTest(0);
}

}  // namespace
}  // namespace attest::test
