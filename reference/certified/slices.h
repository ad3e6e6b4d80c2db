// Numbers cut into slices that fixed-point accumulators can multiply and add without any error.
//
// A vector spans the bits from `unit` to `top`: every element is a multiple of 2^unit, and its size
// (a norm that bounds the sums it enters) is below 2^top. A vector that spans more bits than an
// accumulator can take is the exact sum of several slices that do not.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace attest {

// Eight doubles on one cache line: storage whose address every vector instruction likes.
struct alignas(64) cache_line {
  double lane[8] = {};
};

// Zeroed doubles, aligned to a cache line.
class aligned_doubles {
 public:
  explicit aligned_doubles(std::size_t count = 0) : lines_((count + 7) / 8) {}
  double* data() { return lines_.empty() ? nullptr : lines_.front().lane; }
  const double* data() const { return lines_.empty() ? nullptr : lines_.front().lane; }
  double& operator[](std::size_t n) { return data()[n]; }
  double operator[](std::size_t n) const { return data()[n]; }

 private:
  std::vector<cache_line> lines_;
};

// One slice of each of several vectors. anchors: 2^top of each, 1 for a zero vector.
struct vector_slice {
  std::span<const double> values;  // [vectors, length]
  std::vector<double> anchors;
  std::vector<int> bits;    // top - unit of each
  std::vector<double> own;  // what values refers to, unless to the vectors themselves
};

enum class vector_size { euclidean, absolute };  // the norm: sqrt(sum x^2), or sum |x|

// Computes: slices, at least one, whose sum is exactly the vectors; each spans at most most_bits.
// Shapes: vectors [vectors, length]; they are consumed where one slice is not enough, and must
// outlive it where it is. Domain: representable(x) for every element.
std::vector<vector_slice> slice_vectors(std::span<double> vectors, std::size_t length, vector_size,
                                        int most_bits);

// Whether the fast engine can take x: zero, or of a size between 2^-160 and 2^160 whose last bit is
// not below 2^-300. Products and their errors then neither overflow nor underflow.
bool representable(double x);

}  // namespace attest
