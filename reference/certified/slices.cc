#include "reference/certified/slices.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "reference/formats/format.h"

namespace attest {
namespace {

constexpr double raise = 1.02;  // weights reach 1.01; the rounding of a norm

// Computes: e with 2^e <= |x| < 2^(e+1). Domain: a normal number.
int exponent_of(double x) {
  return static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52 & 0x7ff) - 1023;
}

// Computes: the exponent of the last bit of x that is set. Domain: a normal number.
int unit_of(double x) {
  const std::uint64_t significand =
      (std::bit_cast<std::uint64_t>(x) & 0xfffffffffffff) | std::uint64_t{1} << 52;
  return exponent_of(x) - 52 + std::countr_zero(significand);
}

double size_of(std::span<const double> x, vector_size norm) {
  double sum = 0;
  for (const double element : x)
    sum += norm == vector_size::euclidean ? element * element : std::fabs(element);
  return raise * (norm == vector_size::euclidean ? std::sqrt(sum) : sum);
}

struct bit_span {
  int top = 0;
  int unit = 0;
};

bit_span span_of(std::span<const double> x, vector_size norm) {
  const double size = size_of(x, norm);
  if (size == 0) return {};
  bit_span span{exponent_of(size) + 1, exponent_of(size)};
  for (const double element : x)
    if (element != 0) span.unit = std::min(span.unit, unit_of(element));
  return span;
}

// Moves the part of x above 2^unit, rounded to a multiple of it, into `slice`.
void cut(std::span<double> x, std::span<double> slice, int unit) {
  const double shift = 1.5 * power_of_two(unit + 52);
  for (std::size_t t = 0; t < x.size(); ++t) {
    slice[t] = (x[t] + shift) - shift;
    x[t] -= slice[t];
  }
}

// Moves as much of x into `slice` as spans most_bits. Result: the bits that the slice spans.
int cut_vector(std::span<double> x, std::span<double> slice, double& anchor, vector_size norm,
               int most_bits) {
  bit_span span = span_of(x, norm);
  if (span.top - span.unit > most_bits)
    cut(x, slice, span.top - most_bits + 1);  // rounding may raise the top by one
  else
    std::swap_ranges(x.begin(), x.end(), slice.begin());
  span = span_of(slice, norm);
  anchor = power_of_two(span.top);
  return span.top - span.unit;
}

}  // namespace

bool representable(double x) {
  if (x == 0) return true;
  return std::fabs(x) >= 0x1p-160 && std::fabs(x) < 0x1p160 && unit_of(x) >= -300;
}

std::vector<vector_slice> slice_vectors(std::vector<double> values, std::size_t length,
                                        vector_size norm, int most_bits) {
  const std::size_t count = length == 0 ? 0 : values.size() / length;
  std::vector<vector_slice> slices;
  do {
    vector_slice& s = slices.emplace_back();
    s.values.resize(values.size());
    s.anchors.assign(count, 1);
    for (std::size_t n = 0; n < count; ++n)
      s.bits = std::max(s.bits, cut_vector(std::span(values).subspan(n * length, length),
                                           std::span(s.values).subspan(n * length, length),
                                           s.anchors[n], norm, most_bits));
  } while (std::any_of(values.begin(), values.end(), [](double x) { return x != 0; }));
  return slices;
}

}  // namespace attest
