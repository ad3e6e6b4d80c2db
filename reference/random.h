// Counter-based random numbers: a value is a pure function of (seed, stream, index), so tensors do
// not depend on the order in which they are filled, nor on machine, compiler or thread count.
#pragma once

#include <cstdint>

namespace attest {

// Computes: 64 uniform bits, by the splitmix64 finaliser over seed, then stream, then index:
//   key = mix(mix(seed + g) + g (stream + 1)), bits = mix(key + g (index + 1)), g =
//   0x9e3779b97f4a7c15, so a stream is the sequence of splitmix64 from the state key: no value
//   repeats within it.
// Source: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators",
// OOPSLA 2014.
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

// Computes: uniform in [0, 1), a multiple of 2^-53: the high 53 bits of random_bits.
double random_unit(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

// Computes: a standard normal variate, normal_quantile((2 n + 1) 2^-53), n the high 52 bits of
// random_bits:
//   symmetric about 0, never 0, at most 8.21 in size. Error: that of normal_quantile.
double random_normal(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

// Computes: uniform in [0, n): floor(random_bits n / 2^64).
// Domain: n > 0. Error: bias of each value's probability below 2^-64.
std::uint64_t random_below(std::uint64_t seed, std::uint64_t stream, std::uint64_t index,
                           std::uint64_t n);

}  // namespace attest
