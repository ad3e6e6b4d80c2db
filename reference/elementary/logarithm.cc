// log x, log2 x and log(1 + x), all from one pair of doubles:
//   x = 2^k m,  m in [0.707, 1.415),  n = nearest integer to 128/m,  m n/128 = 1 + r,
//   log x = k ln2 - log(n/128) + log(1 + r),  |r| < 0.0056.
// Near 1, k = 0 and n = 128, so nothing cancels. Errors of the pair, relative to log x:
//   series     2^-70  (its first term left out, r^10/10, beside r)
//   tail       2^-67  (r^3/3 - ... rounded, beside r)
//   ln2        2^-88  (k ln2.lo rounded, and ln2 to 2^-89)
//   table      2^-93  (log(n/128) to 2^-100, beside a logarithm of at least 2^-8)
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "reference/elementary/double_double.h"
#include "reference/elementary/elementary.h"

namespace attest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int first_n = 90;
constexpr int last_n = 182;

// Computes: -log(n/128) = 2 atanh z = 2 (z + z^3/3 + z^5/5 + ...), z = (128 - n)/(128 + n).
// Domain: |z| < 0.18. Error: below 2^-100, relative.
constexpr double_double minus_log(int n) {
  const double_double z = double_double{128. - n, 0} / double_double{128. + n, 0};
  double_double sum{0, 0};
  for (int odd = 43; odd > 0; odd -= 2) {
    sum = sum * z * z + double_double{1, 0} / double_double{static_cast<double>(odd), 0};
  }
  return sum * z * double_double{2, 0};
}

constexpr std::array<double_double, last_n - first_n + 1> minus_logs = [] {
  std::array<double_double, last_n - first_n + 1> table{};
  for (int n = first_n; n <= last_n; ++n) table[n - first_n] = minus_log(n);
  return table;
}();

constexpr double_double log2_of_e = double_double{1, 0} / fast_two_sum(ln2.hi, ln2.lo);

// The number m 2^k, m in [0.707, 1.415).
struct reduced {
  double_double m;
  int k;
};

// Domain: x > 0, normal and finite.
reduced reduce_normal(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const auto least = std::bit_cast<std::uint64_t>(0x1.6ap-1);
  const int k = static_cast<int>(static_cast<std::int64_t>(bits - least) >> 52);
  return {{std::bit_cast<double>(bits - (static_cast<std::uint64_t>(k) << 52)), 0}, k};
}

// Domain: x > 0, finite.
reduced reduce(double x) {
  if (x >= 0x1p-1022) return reduce_normal(x);
  const reduced larger = reduce_normal(x * 0x1p54);
  return {larger.m, larger.k - 54};
}

// Domain: 2^-60 < 1 + x < 2^63.
reduced reduce_one_plus(double x) {
  const double_double sum = two_sum(1, x);
  const reduced number = reduce_normal(sum.hi);
  const auto unit = std::bit_cast<double>(static_cast<std::uint64_t>(1023 - number.k) << 52);
  return {{number.m.hi, sum.lo * unit}, number.k};
}

// Computes: log(1 + r), the first two terms of the series in pairs. Domain: |r| < 0.0056.
double_double log1p_series(double_double r) {
  const double x = r.hi;
  const double_double square = two_product(x, x);
  const double tail =
      x * square.hi *
      (1. / 3 -
       x * (1. / 4 - x * (1. / 5 - x * (1. / 6 - x * (1. / 7 - x * (1. / 8 - x * (1. / 9)))))));
  const double_double sum = fast_two_sum(x, -square.hi / 2);
  return fast_two_sum(sum.hi, sum.lo + (tail + (r.lo - (square.lo / 2 + x * r.lo))));
}

// Computes: log m. m.hi n/128 - 1 is exact, and so is r when n = 128.
double_double log_of_significand(double_double m) {
  const int n = static_cast<int>(128 / m.hi + 0.5);
  const double_double product = two_product(m.hi, n / 128.);
  const double_double r = two_sum(product.hi - 1, product.lo + m.lo * (n / 128.));
  return minus_logs[n - first_n] + log1p_series(r);
}

// Computes: log(m 2^k), as a double.
double log_of(reduced x) {
  const double_double power{x.k * ln2.hi, x.k * ln2.lo};
  return (power + log_of_significand(x.m)).hi;
}

bool is_positive_finite(double x) { return 0 < x && x < infinity; }

// The logarithm, of any base above 1, of zeros, negative numbers, +inf and NaN.
double log_of_special(double x) {
  if (x == 0) return -infinity;
  return x < 0 ? std::numeric_limits<double>::quiet_NaN() : x;
}

}  // namespace

double log_double(double x) {
  return is_positive_finite(x) ? log_of(reduce(x)) : log_of_special(x);
}

double log2_double(double x) {
  if (!is_positive_finite(x)) return log_of_special(x);
  const reduced number = reduce(x);
  const double_double fraction = log_of_significand(number.m) * log2_of_e;
  return (double_double{static_cast<double>(number.k), 0} + fraction).hi;
}

// Left out where that costs below 2^-14 ulp: x^2/2 for the smallest x, 1 beside 2^62.
double log1p_double(double x) {
  if (-0x1p-70 < x && x < 0x1p-70) return x;
  if (!(x < 0x1p62)) return log_double(x);
  return x > -1 ? log_of(reduce_one_plus(x)) : log_of_special(x + 1);
}

}  // namespace attest
