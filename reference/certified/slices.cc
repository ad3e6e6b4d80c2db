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

// Moves as much of x into `slice` as spans most_bits.
void cut_vector(std::span<double> x, std::span<double> slice, vector_size norm, int most_bits) {
  const bit_span span = span_of(x, norm);
  if (span.top - span.unit > most_bits)
    cut(x, slice, span.top - most_bits + 1);  // rounding may raise the top by one
  else
    std::swap_ranges(x.begin(), x.end(), slice.begin());
}

// Sets the anchors and bits of a slice from its values.
void measure(vector_slice& slice, std::size_t length, vector_size norm) {
  for (std::size_t at = 0; at < slice.values.size(); at += length) {
    const bit_span span = span_of(slice.values.subspan(at, length), norm);
    slice.anchors.push_back(power_of_two(span.top));
    slice.bits.push_back(span.top - span.unit);
  }
}

vector_slice cut_vectors(std::span<double> vectors, std::size_t length, vector_size norm,
                         int most_bits) {
  vector_slice slice;
  slice.own.resize(vectors.size());
  slice.values = slice.own;
  for (std::size_t at = 0; at < vectors.size(); at += length)
    cut_vector(vectors.subspan(at, length), std::span(slice.own).subspan(at, length), norm,
               most_bits);
  measure(slice, length, norm);
  return slice;
}

}  // namespace

bool representable(double x) {
  if (x == 0) return true;
  return std::fabs(x) >= 0x1p-160 && std::fabs(x) < 0x1p160 && unit_of(x) >= -300;
}

std::vector<vector_slice> slice_vectors(std::span<double> vectors, std::size_t length,
                                        vector_size norm, int most_bits) {
  std::vector<vector_slice> slices(1);
  slices.front().values = vectors;
  measure(slices.front(), length, norm);
  const auto fits = [most_bits](int bits) { return bits <= most_bits; };
  if (std::all_of(slices.front().bits.begin(), slices.front().bits.end(), fits)) return slices;
  slices.clear();
  do slices.push_back(cut_vectors(vectors, length, norm, most_bits));
  while (std::any_of(vectors.begin(), vectors.end(), [](double x) { return x != 0; }));
  return slices;
}

}  // namespace attest
