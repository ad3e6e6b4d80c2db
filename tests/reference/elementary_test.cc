// The elementary functions against MPFR, against identities, and against their own bits of
// yesterday.
#include "reference/elementary/elementary.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "reference/random.h"
#include "tests/reference/exact_real.h"

namespace attest::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest = std::numeric_limits<double>::max();
constexpr double smallest = std::numeric_limits<double>::denorm_min();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t seed = 20250101;

using function = double (*)(double);
using exact_function = int (*)(mpfr_t, mpfr_srcptr, mpfr_rnd_t);
using samples = std::vector<double>;

// ---- Where the functions are tried -------------------------------------------------------------

samples uniform(double low, double high, int count) {
  samples xs;
  for (int i = 0; i < count; ++i) xs.push_back(low + (high - low) * random_unit(seed, 1, i));
  return xs;
}

// Numbers of either sign and any exponent in [low, high], each exponent as likely as another.
samples any_exponent(int low, int high, int count) {
  samples xs;
  for (int i = 0; i < count; ++i) {
    const int exponent = low + static_cast<int>(random_below(seed, 2, i, high - low + 1));
    const double sign = random_bits(seed, 3, i) % 2 == 0 ? 1 : -1;
    xs.push_back(std::ldexp(sign * (1 + random_unit(seed, 4, i)), exponent));
  }
  return xs;
}

// The numbers up to `reach` spacings away from each centre.
samples around(const samples& centres, int reach) {
  samples xs;
  for (const double centre : centres) {
    double below = centre, above = centre;
    xs.push_back(centre);
    for (int i = 0; i < reach; ++i) {
      xs.push_back(below = std::nextafter(below, -infinity));
      xs.push_back(above = std::nextafter(above, infinity));
    }
  }
  return xs;
}

// first, first + step, ... up to last.
samples progression(double first, double last, double step) {
  samples xs;
  for (int i = 0; first + i * step <= last; ++i) xs.push_back(first + i * step);
  return xs;
}

samples powers_of_two() {
  samples xs;
  for (int e = -1074; e <= 1023; ++e) xs.push_back(std::ldexp(1, e));
  return xs;
}

samples negated(samples xs) {
  for (double& x : xs) x = -x;
  return xs;
}

samples joined(const std::vector<samples>& parts) {
  samples all;
  for (const samples& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

const double log_of_2 = 0.6931471805599453;
const double half_pi = 1.5707963267948966;

samples signed_powers_of_two() { return joined({powers_of_two(), negated(powers_of_two())}); }

samples for_exponentials(int count) {
  return joined({uniform(-750, 711, count), uniform(-2, 2, count / 2),
                 any_exponent(-80, 10, count / 2),
                 around(progression(-746, 710, log_of_2 / 8), 2),    // results near a power of two
                 around(progression(-5.5, 5.5, log_of_2 / 256), 8),  // where the table step changes
                 around({709.782712893384, -708.3964185322641, -745.1332191019411}, 1000),
                 around(signed_powers_of_two(), 1)});
}

samples for_exponential_of_2(int count) {
  return joined({uniform(-1080, 1030, count), uniform(-2, 2, count), any_exponent(-80, 11, count),
                 around(progression(-1080, 1030, 0.5), 3), around(progression(-2, 2, 1. / 256), 8),
                 around(signed_powers_of_two(), 1)});
}

samples for_expm1(int count) {
  return joined({for_exponentials(count), uniform(-0.01, 0.01, count),
                 any_exponent(-1074, 10, count), around({-52, -38, 64, 0x1p-70, -0x1p-70}, 1000)});
}

samples for_logarithms(int count) {
  return joined({any_exponent(-1074, 1023, count), uniform(0.5, 2, count / 2),
                 uniform(0.99, 1.01, count / 2), around({1, 0x1.6ap-1, 0x1.6ap0, 0x1p-1022}, 5000),
                 around(progression(90 / 128., 182 / 128., 1. / 1024), 8),
                 around(powers_of_two(), 2)});
}

samples for_log1p(int count) {
  return joined({any_exponent(-1074, 1023, count), any_exponent(-80, 1, count),
                 uniform(-1, 1, count), uniform(-0.01, 0.01, count),
                 around({-1, -0.5, 0x1p62, 0x1p-70, -0x1p-70}, 1000),
                 around(signed_powers_of_two(), 2)});
}

samples for_tanh(int count) {
  return joined({uniform(-26, 26, count), uniform(-0.01, 0.01, count),
                 any_exponent(-1074, 6, count),
                 around({0x1p-36, -0x1p-36, 25, -25, 19.06154746539849}, 1000),
                 around(progression(-3, 3, log_of_2 / 512), 4), around(signed_powers_of_two(), 1)});
}

// Half of them as near as can be to a multiple of pi/2, where the argument cancels; the nearest is
// 29 pi/2.
samples for_sines(int count) {
  samples multiples;
  for (int k = 1; k <= 0x1p20 / half_pi; k += 13) multiples.push_back(k * half_pi);
  return joined({around(multiples, 1),
                 negated(multiples),
                 {6411027962775774 * 0x1p-47},
                 uniform(-0x1p20, 0x1p20, count),
                 uniform(-10, 10, count),
                 any_exponent(-1074, 19, count),
                 around(progression(-7, 7, half_pi / 4), 200)});
}

// ---- Error -------------------------------------------------------------------------------------

struct tried_function {
  const char* name;
  function ours;
  exact_function exact;
  double bound_ulps;
  samples (*where)(int count);
  int count;  // of the samples of each kind
};

// The names tell gtest's parameters apart.
void PrintTo(const tried_function& f, std::ostream* out) { *out << f.name; }

const tried_function tried[] = {
    {"exp", exp_double, mpfr_exp, elementary_error_ulps, for_exponentials, 500'000},
    {"exp2", exp2_double, mpfr_exp2, elementary_error_ulps, for_exponential_of_2, 60'000},
    {"expm1", expm1_double, mpfr_expm1, elementary_error_ulps, for_expm1, 60'000},
    {"log", log_double, mpfr_log, elementary_error_ulps, for_logarithms, 500'000},
    {"log2", log2_double, mpfr_log2, elementary_error_ulps, for_logarithms, 100'000},
    {"log1p", log1p_double, mpfr_log1p, elementary_error_ulps, for_log1p, 60'000},
    {"tanh", tanh_double, mpfr_tanh, elementary_error_ulps, for_tanh, 100'000},
    {"sin", sin_double, mpfr_sin, sine_error_ulps, for_sines, 60'000},
    {"cos", cos_double, mpfr_cos, sine_error_ulps, for_sines, 60'000},
};

class elementary_function : public testing::TestWithParam<tried_function> {};

struct worst {
  double error_ulps = 0;
  double x = 0;
};

worst worst_of(const tried_function& f) {
  worst found;
  exact_real exact;
  for (const double x : f.where(f.count)) {
    f.exact(exact.get(), exact_real(x).get(), MPFR_RNDN);
    const double error = error_ulps(f.ours(x), exact);
    if (!(error <= found.error_ulps)) found = {error, x};
  }
  return found;
}

TEST_P(elementary_function, errs_by_less_than_its_bound) {
  const worst found = worst_of(GetParam());
  RecordProperty("worst_error_ulps", std::to_string(found.error_ulps));
  EXPECT_LT(found.error_ulps, GetParam().bound_ulps) << "at " << std::hexfloat << found.x;
}

INSTANTIATE_TEST_SUITE_P(all, elementary_function, testing::ValuesIn(tried),
                         [](const auto& row) { return std::string(row.param.name); });

// ---- Special values ----------------------------------------------------------------------------

struct special_value {
  const char* name;
  function f;
  double x;
  double expected;
  const char* why;
};

const special_value special_values[] = {
    {"exp", exp_double, -infinity, 0, "limit"},
    {"exp", exp_double, infinity, infinity, "limit"},
    {"exp", exp_double, nan, nan, "NaN propagates"},
    {"exp", exp_double, -0., 1, "e^0"},
    {"exp", exp_double, 709.782712893384, 0x1.fffffffffff2ap+1023, "last before overflow"},
    {"exp", exp_double, 709.7827128933841, infinity, "first to overflow"},
    {"exp", exp_double, -745.1332191019411, smallest, "last before underflow"},
    {"exp", exp_double, -745.1332191019412, 0, "first to underflow"},
    {"exp", exp_double, -largest, 0, "far below the range"},
    {"exp2", exp2_double, -infinity, 0, "limit"},
    {"exp2", exp2_double, infinity, infinity, "limit"},
    {"exp2", exp2_double, nan, nan, "NaN propagates"},
    {"exp2", exp2_double, 1024, infinity, "first to overflow"},
    {"exp2", exp2_double, -1075, 0, "a tie, to even"},
    {"exp2", exp2_double, -0x1.0cbffffffffffp10, smallest, "just above that tie"},
    {"expm1", expm1_double, -infinity, -1, "limit"},
    {"expm1", expm1_double, infinity, infinity, "limit"},
    {"expm1", expm1_double, nan, nan, "NaN propagates"},
    {"expm1", expm1_double, 0., 0., "odd to first order"},
    {"expm1", expm1_double, -0., -0., "odd to first order"},
    {"expm1", expm1_double, smallest, smallest, "odd to first order"},
    {"expm1", expm1_double, -largest, -1, "far below the range"},
    {"log", log_double, 0., -infinity, "limit"},
    {"log", log_double, -0., -infinity, "limit"},
    {"log", log_double, -1, nan, "no real logarithm"},
    {"log", log_double, -smallest, nan, "no real logarithm"},
    {"log", log_double, -infinity, nan, "no real logarithm"},
    {"log", log_double, infinity, infinity, "limit"},
    {"log", log_double, nan, nan, "NaN propagates"},
    {"log", log_double, 1, 0., "+0, not -0"},
    {"log2", log2_double, 0., -infinity, "limit"},
    {"log2", log2_double, -1, nan, "no real logarithm"},
    {"log2", log2_double, infinity, infinity, "limit"},
    {"log2", log2_double, nan, nan, "NaN propagates"},
    {"log2", log2_double, 1, 0., "+0, not -0"},
    {"log1p", log1p_double, -1, -infinity, "log 0"},
    {"log1p", log1p_double, -1.0000000000000002, nan, "no real logarithm"},
    {"log1p", log1p_double, -infinity, nan, "no real logarithm"},
    {"log1p", log1p_double, infinity, infinity, "limit"},
    {"log1p", log1p_double, nan, nan, "NaN propagates"},
    {"log1p", log1p_double, -0., -0., "odd to first order"},
    {"tanh", tanh_double, -infinity, -1, "limit"},
    {"tanh", tanh_double, infinity, 1, "limit"},
    {"tanh", tanh_double, nan, nan, "NaN propagates"},
    {"tanh", tanh_double, -0., -0., "odd"},
    {"tanh", tanh_double, -largest, -1, "far beyond saturation"},
    {"sin", sin_double, -0., -0., "odd"},
    {"sin", sin_double, infinity, nan, "no limit"},
    {"sin", sin_double, nan, nan, "NaN propagates"},
    {"sin", sin_double, 0x1.0000000000001p20, nan, "outside the domain"},
    {"cos", cos_double, 0., 1, "cos 0"},
    {"cos", cos_double, -infinity, nan, "no limit"},
    {"cos", cos_double, nan, nan, "NaN propagates"},
    {"cos", cos_double, -0x1.0000000000001p20, nan, "outside the domain"},
};

// Equal with the sign of zero; any NaN for NaN.
bool is_same(double x, double y) {
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
  return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
}

TEST(elementary, special_values_are_those_of_c99) {
  for (const special_value& row : special_values) {
    const double result = row.f(row.x);
    EXPECT_TRUE(is_same(result, row.expected)) << row.name << "(" << row.x << ") = " << result
                                               << ", not " << row.expected << ": " << row.why;
  }
}

// ---- Laws that need no second opinion ----------------------------------------------------------

// f must not decrease over the 2 reach + 1 numbers about each centre.
void expect_increasing(const char* name, function f, const samples& centres, int reach) {
  for (const double centre : centres) {
    double x = centre;
    for (int i = 0; i < reach; ++i) x = std::nextafter(x, -infinity);
    for (int i = 0; i < 2 * reach; ++i) {
      const double next = std::nextafter(x, infinity);
      ASSERT_LE(f(x), f(next)) << name << " from " << std::hexfloat << x;
      x = next;
    }
  }
}

TEST(elementary, increasing_functions_increase_where_their_pieces_meet) {
  const samples table_steps = progression(log_of_2 / 256, 3, log_of_2 / 128);
  expect_increasing("exp", exp_double, table_steps, 20);
  expect_increasing("exp", exp_double, {-745, -708.3964185322641, -700, 0, 700}, 200);
  expect_increasing("expm1", expm1_double, table_steps, 20);
  expect_increasing("expm1", expm1_double, {-52, -37, -0x1p-70, 0x1p-70, 64}, 200);
  expect_increasing("exp2", exp2_double, progression(1. / 256, 3, 1. / 128), 20);
  for (const function f : {log_double, log2_double}) {
    expect_increasing("log, log2", f, {0x1.6ap-1, 0x1.6ap0, 1, 0x1p-1022, 0x1p1000}, 200);
    for (int n = 91; n < 181; ++n) expect_increasing("log, log2", f, {128 / (n + 0.5)}, 20);
  }
  expect_increasing("log1p", log1p_double, {-0x1p-53, 0x1p-53, -0x1p-70, 0x1p-70, 0x1p62}, 200);
  expect_increasing("tanh", tanh_double, {-25, -0x1p-36, 0x1p-36, log_of_2 / 512, 19, 25}, 200);
}

TEST(elementary, powers_of_two_and_their_logarithms_are_exact) {
  for (int e = -1074; e <= 1023; ++e) {
    EXPECT_EQ(exp2_double(e), std::ldexp(1, e));
    EXPECT_EQ(log2_double(std::ldexp(1, e)), e);
  }
}

TEST(elementary, odd_functions_are_odd_and_the_cosine_is_even) {
  for (const double x : joined({any_exponent(-1074, 19, 20'000), uniform(-30, 30, 20'000)})) {
    EXPECT_EQ(tanh_double(-x), -tanh_double(x));
    EXPECT_EQ(sin_double(-x), -sin_double(x));
    EXPECT_EQ(cos_double(-x), cos_double(x));
  }
}

constexpr double half_ulp = 0x1p-53;  // relative

TEST(elementary, inverse_functions_undo_each_other) {
  for (const double x : uniform(-700, 700, 20'000)) {
    // exp's half ulp moves the logarithm by 2^-53, log's own by 2^-53 |x|.
    EXPECT_LE(std::abs(log_double(exp_double(x)) - x), 1.01 * half_ulp * (1 + std::abs(x)));
  }
  for (const double x : any_exponent(-60, -3, 20'000)) {
    // log1p's half ulp, carried through expm1 (slope below 1.2 in relative terms), and expm1's own.
    EXPECT_LE(std::abs(expm1_double(log1p_double(x)) - x), 2.3 * half_ulp * std::abs(x));
  }
}

TEST(elementary, sines_and_cosines_lie_on_the_circle_and_double_their_angle) {
  for (const double x : uniform(-1000, 1000, 20'000)) {
    const double s = sin_double(x);
    const double c = cos_double(x);
    EXPECT_NEAR(s * s + c * c, 1, 8 * half_ulp);
    EXPECT_NEAR(sin_double(2 * x), 2 * s * c, 8 * half_ulp);
    EXPECT_NEAR(cos_double(2 * x), (c - s) * (c + s), 8 * half_ulp);
  }
}

TEST(elementary, tanh_is_the_quotient_of_exponentials) {
  for (const double x : uniform(0.5, 20, 20'000)) {
    const double square = exp_double(-2 * x);
    EXPECT_NEAR(tanh_double(x), (1 - square) / (1 + square), 6 * half_ulp);
  }
}

// ---- The bits themselves -----------------------------------------------------------------------

// FNV-1a, by words, of the results over 1e5 inputs: from low to high, half of them scaled towards 0
// (or, if low is 0, towards 0 from above).
std::uint64_t hash_of_results(function f, double low, double high) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (int i = 0; i < 100'000; ++i) {
    const double x =
        (low + (high - low) * random_unit(seed, 5, i)) * (i % 2 == 0 ? 1 : exp2_double(-(i % 50)));
    hash = (hash ^ std::bit_cast<std::uint64_t>(f(x))) * 0x100000001b3;
  }
  return hash;
}

struct golden_hash {
  const char* name;
  function f;
  double low;
  double high;
  std::uint64_t hash;
};

const golden_hash golden_hashes[] = {
    {"exp", exp_double, -746, 710, 0x4a45f2c496aa9e05},
    {"exp2", exp2_double, -1075, 1024, 0x7c6ea4d5b8447d70},
    {"expm1", expm1_double, -40, 710, 0x4b8d76a78d6ff73f},
    {"log", log_double, 0, 100, 0xd3d5fdde31c544ad},
    {"log2", log2_double, 0, 100, 0x23a7b19be3bd72d6},
    {"log1p", log1p_double, -1, 100, 0x1616c050fd84d49b},
    {"tanh", tanh_double, -22, 22, 0x30b536f44bdc6dbe},
    {"sin", sin_double, -0x1p20, 0x1p20, 0xbba33e95e3a6674d},
    {"cos", cos_double, -0x1p20, 0x1p20, 0x8b93e28185ceadf8},
};

// The same on every compiler and machine. A change here changes verdicts: say so in CHANGELOG.md.
TEST(elementary, results_have_the_bits_they_had) {
  for (const golden_hash& row : golden_hashes) {
    const std::uint64_t hash = hash_of_results(row.f, row.low, row.high);
    EXPECT_EQ(hash, row.hash) << row.name << std::hex << ": 0x" << hash;
  }
}

}  // namespace
}  // namespace attest::test
