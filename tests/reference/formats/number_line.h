// A second opinion on rounding: a small format as the sorted list of its magnitudes, and exact
// integers.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "reference/formats/rounding.h"

namespace attest {

__extension__ typedef __int128 wide_integer;

enum class operation : std::uint8_t { add, sub, mul, div, sqrt, fma };

// Domain: formats of at most 16 bits with at most 5 exponent bits, so that everything below fits
// 128 bits.
class number_line {
 public:
  explicit number_line(const format&);

  // Computes: the operation on numbers of the format (those it does not read are ignored), rounded
  // once, by comparing the exact result with the neighbours on the line and the point half-way
  // between them. Domain: a deterministic mode.
  double result(operation, rounding, double x, double y = 0, double z = 0) const;

 private:
  using comparison = std::function<int(wide_integer)>;  // of the exact magnitude with a point

  wide_integer units(double x) const;
  comparison compare(operation, double x, double y, double z) const;
  double rounded(rounding, bool negative, const comparison&) const;
  double overflowed(rounding, bool negative) const;
  double infinity(rounding) const;

  const format* format_;
  int scale_;                         // a unit is 2^-scale, half the smallest subnormal
  std::vector<wide_integer> points_;  // all magnitudes in units, then the one past the largest
};

}  // namespace attest
