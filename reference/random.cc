#include "reference/random.h"

#include "reference/elementary/normal_quantile.h"

namespace attest {
namespace {

constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio, odd

// The finaliser of splitmix64, a bijection: variant 13 of D. Stafford, "Better bit mixing", 2011.
constexpr std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// Computes: floor(a b / 2^64). Standard C++ has no wider integer to do it in.
constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t low = (a & 0xffffffff) * (b & 0xffffffff);
  const std::uint64_t left = (a >> 32) * (b & 0xffffffff) + (low >> 32);
  const std::uint64_t right = (a & 0xffffffff) * (b >> 32) + (left & 0xffffffff);
  return (a >> 32) * (b >> 32) + (left >> 32) + (right >> 32);
}

}  // namespace

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  const std::uint64_t key = mix(mix(seed + golden_gamma) + golden_gamma * (stream + 1));
  return mix(key + golden_gamma * (index + 1));
}

double random_unit(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  return static_cast<double>(random_bits(seed, stream, index) >> 11) * 0x1p-53;
}

double random_normal(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  const std::uint64_t n = random_bits(seed, stream, index) >> 12;
  return normal_quantile(static_cast<double>(2 * n + 1) * 0x1p-53);
}

std::uint64_t random_below(std::uint64_t seed, std::uint64_t stream, std::uint64_t index,
                           std::uint64_t n) {
  return multiply_high(random_bits(seed, stream, index), n);
}

}  // namespace attest
