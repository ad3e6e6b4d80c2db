// How wide the certified enclosures are at their widest.
#pragma once

#include <cstdint>
#include <string>

#include "reference/certified/certified.h"

namespace attest::second_opinion {

// Radii as parts of what they belong to. floor keeps two things from being read as doubt: the last
// bits of subnormal numbers, which no double halves, and weights so small that the engine leaves
// them out.
struct widest_radius {
  static constexpr double floor = 0x1p-300;

  double output = 0;  // of sum a|v| + floor
  double lse = 0;     // of max(1, |lse|)
  double weight = 0;  // of 1
  std::int64_t rows = 0;
  std::int64_t multiprecision_rows = 0;
  std::string cause;  // the problem with the widest output

  // Domain: the answer has weights and magnitudes.
  void include(const certified_answer&, const std::string& problem_text);
};

}  // namespace attest::second_opinion
