// The choices of one evaluation, drawn one after the other.
#pragma once

#include <array>
#include <cstdint>

#include "reference/random.h"

namespace attest {

// The same seed gives the same draws in the same order.
class luck {
 public:
  explicit luck(std::uint64_t seed) : seed_(seed) {}

  std::uint64_t bits() { return random_bits(seed_, 0, drawn_++); }
  double unit() { return random_unit(seed_, 0, drawn_++); }
  // Domain: n > 0.
  std::int64_t below(std::int64_t n) {
    return static_cast<std::int64_t>(
        random_below(seed_, 0, drawn_++, static_cast<std::uint64_t>(n)));
  }
  bool one_in(std::int64_t n) { return below(n) == 0; }
  // Computes: allowed and one in two.
  bool perhaps(bool allowed) {
    const bool drawn = one_in(2);
    return allowed && drawn;
  }
  template <class T, std::size_t N>
  T among(const std::array<T, N>& values) {
    return values[static_cast<std::size_t>(below(static_cast<std::int64_t>(N)))];
  }

 private:
  std::uint64_t seed_;
  std::uint64_t drawn_ = 0;
};

}  // namespace attest
