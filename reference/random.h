// Counter-based random numbers: a value is a pure function of (seed, stream, index), so tensors do not depend on
// the order in which they are filled, nor on machine, compiler or thread count.
#pragma once

#include <cstdint>

namespace attest {

// Computes: 64 uniform bits by two rounds of the splitmix64 finaliser over (seed, stream, index).
// Source: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

// Computes: uniform in [0, 1), a multiple of 2^-53.
double random_unit(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

// Computes: a standard normal variate, by inversion of the distribution function in our own arithmetic.
double random_normal(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

// Computes: uniform in [0, n). Domain: n > 0. Error: bias below n 2^-64.
std::uint64_t random_below(std::uint64_t seed, std::uint64_t stream, std::uint64_t index,
                           std::uint64_t n);

}  // namespace attest
