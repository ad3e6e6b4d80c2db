#include "reference/formats/arithmetic.h"

#include <algorithm>
#include <cmath>

#include "reference/random.h"

namespace attest {
namespace {

// Between these ends every residual below is exact, or has the right sign and 2^-40 of its size:
// nothing overflows, and the last bit of a product or remainder stays above 2^-1074. Outside,
// operands are scaled first.
constexpr double low_end = 0x1p-900;
constexpr double high_end = 0x1p1000;

bool is_below_high_end(double x) { return std::fabs(x) < high_end; }
bool is_between_ends(double x) { return std::fabs(x) > low_end && is_below_high_end(x); }

// A double as significand 2^exponent, 1/2 <= |significand| < 1.
struct scaled {
  explicit scaled(double x) : significand(std::frexp(x, &exponent)) {}
  int exponent = 0;
  double significand;
};

// Computes: x + y - sum, exactly, for sum the double nearest to x + y.
// Source: Knuth, The Art of Computer Programming 2, 4.2.2, Theorem C.
double sum_residual(double x, double y, double sum) {
  const double y_part = sum - x;
  return (x - (sum - y_part)) + (y - y_part);
}

// Domain: x y between the ends, z below the high end.
// Error: only the last sum of the residual rounds, which keeps its sign.
// Source: Boldo and Muller, "Exact and approximated error of the FMA", IEEE Trans. Computers, 2011.
unrounded fma_inside(double x, double y, double z) {
  const double value = std::fma(x, y, z);
  const double product = x * y;
  const double product_low = std::fma(x, y, -product);
  const double low = z + product_low;
  const double low_residual = sum_residual(z, product_low, low);
  const double high = product + low;
  const double high_residual = sum_residual(product, low, high);
  return {value, ((high - value) + high_residual) + low_residual};
}

// Domain: finite, x and y not zero. A term 2^-200 below the other says no more than its sign, so
// exponents that lie further apart may be drawn together.
unrounded fma_scaled(double x, double y, double z) {
  constexpr int apart = 200;
  const scaled a(x), b(y), c(z);
  const int product_exponent = a.exponent + b.exponent;
  const int gap = c.significand == 0 ? 0 : c.exponent - product_exponent;
  const double addend = std::ldexp(c.significand, std::clamp(gap, -apart, apart));
  unrounded exact = fma_inside(a.significand, b.significand, addend);
  exact.scale = product_exponent + std::max(0, gap - apart);
  return exact;
}

unrounded exact_fma(double x, double y, double z) {
  if (is_between_ends(x * y) && is_below_high_end(z)) return fma_inside(x, y, z);
  const bool finite = std::isfinite(x) && std::isfinite(y) && std::isfinite(z);
  if (!finite || x == 0 || y == 0) return {std::fma(x, y, z)};
  return fma_scaled(x, y, z);
}

unrounded exact_sum(double x, double y) {
  const double sum = x + y;
  if (is_below_high_end(x) && is_below_high_end(y)) return {sum, sum_residual(x, y, sum)};
  const bool scalable = std::isfinite(x) && std::isfinite(y) && x != 0;
  return scalable ? fma_scaled(x, 1, y) : unrounded{sum};
}

unrounded exact_product(double x, double y) {
  const double product = x * y;
  if (is_between_ends(product)) return {product, std::fma(x, y, -product)};
  const bool scalable = std::isfinite(x) && std::isfinite(y) && x != 0 && y != 0;
  return scalable ? fma_scaled(x, y, 0) : unrounded{product};
}

// The remainder x - quotient y is a double; divided by y it is what the quotient lacks.
unrounded quotient_inside(double x, double y) {
  const double quotient = x / y;
  return {quotient, std::fma(-quotient, y, x) / y};
}

unrounded quotient_scaled(double x, double y) {
  const scaled a(x), b(y);
  unrounded exact = quotient_inside(a.significand, b.significand);
  exact.scale = a.exponent - b.exponent;
  return exact;
}

unrounded exact_quotient(double x, double y) {
  const double quotient = x / y;
  if (is_between_ends(x) && is_between_ends(y) && is_between_ends(quotient))
    return quotient_inside(x, y);
  const bool scalable = std::isfinite(x) && std::isfinite(y) && x != 0 && y != 0;
  return scalable ? quotient_scaled(x, y) : unrounded{quotient};
}

// x - root^2 is a double; sqrt(x) - root = (x - root^2) / (sqrt(x) + root).
unrounded root_inside(double x) {
  const double root = std::sqrt(x);
  return {root, std::fma(-root, root, x) / (2 * root)};
}

unrounded exact_root(double x) {
  if (!(x > 0) || std::isinf(x)) return {std::sqrt(x)};
  if (is_between_ends(x)) return root_inside(x);
  const scaled a(x);
  const int odd = a.exponent % 2;
  unrounded exact = root_inside(std::ldexp(a.significand, odd));
  exact.scale = (a.exponent - odd) / 2;
  return exact;
}

}  // namespace

arithmetic::arithmetic(const format& result, rounding how, std::uint64_t seed)
    : format_(&result), how_(how), seed_(seed) {}

double arithmetic::finish(const unrounded& exact) {
  if (how_.mode != rounding_mode::stochastic) return round_once(*format_, how_, exact);
  return round_once(*format_, how_, exact, random_bits(seed_, 0, draws_++));
}

double arithmetic::finish_sum(unrounded exact, bool any_negative) {
  const bool minus_zero = exact.value == 0 && any_negative && how_.mode == rounding_mode::down;
  return finish(minus_zero ? unrounded{-0.0} : exact);
}

double arithmetic::convert(double x) { return finish({x}); }

double arithmetic::add(double x, double y) {
  return finish_sum(exact_sum(x, y), std::signbit(x) || std::signbit(y));
}

double arithmetic::sub(double x, double y) { return add(x, -y); }

double arithmetic::mul(double x, double y) { return finish(exact_product(x, y)); }

double arithmetic::div(double x, double y) { return finish(exact_quotient(x, y)); }

double arithmetic::sqrt(double x) { return finish(exact_root(x)); }

double arithmetic::fma(double x, double y, double z) {
  const bool product_negative = std::signbit(x) != std::signbit(y);
  return finish_sum(exact_fma(x, y, z), product_negative || std::signbit(z));
}

}  // namespace attest
