// How far stored numbers are from the correctly rounded ones.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "reference/formats/format.h"

namespace attest {

// Distances count the numbers of the format from the correctly rounded one: 0 is correct rounding,
// 1 its neighbour.
class ulp_histogram {
 public:
  // The classes of distances: 0, 1, 2, 3 to 4, 5 to 8, 9 to 16, more; and NaN or infinity in place
  // of a number, or the reverse.
  static constexpr std::size_t classes = 8;
  static std::span<const std::string_view, classes> class_names();

  // Domain: both are numbers of the format, infinities or NaN.
  void add(const format&, double stored, double correctly_rounded);
  void add(const ulp_histogram&);

  const std::array<std::int64_t, classes>& counts() const { return counts_; }
  std::int64_t elements() const;
  std::int64_t correctly_rounded() const { return counts_.front(); }
  std::int64_t worst() const { return worst_; }  // the largest distance of a number from a number

 private:
  std::array<std::int64_t, classes> counts_{};
  std::int64_t worst_ = 0;
};

}  // namespace attest
