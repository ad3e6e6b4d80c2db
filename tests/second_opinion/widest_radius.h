// How wide the certified enclosures are at their widest.
#pragma once

#include <cstdint>
#include <string>

#include "reference/certified/certified.h"

namespace attest::second_opinion {

// The widest radius of a kind, as a part of what it belongs to, and the problem that it was met in.
struct widest {
  double part = 0;
  std::string cause;

  void meet(double other, const std::string& problem_text);
};

struct widest_radius {
  // Keeps two things from being read as doubt: the last bits of subnormal numbers, which no double
  // halves, and weights so small that the engine leaves them out.
  static constexpr double floor = 0x1p-300;

  widest of_magnitude;  // o, of sum a|v| where that is above floor
  widest of_value;      // o, of the largest |v| of the problem + floor
  widest lse;           // of max(1, |lse|)
  widest weight;        // of 1
  std::int64_t rows = 0;
  std::int64_t multiprecision_rows = 0;

  // Domain: the answer has weights and magnitudes.
  void include(const problem&, const certified_answer&, const std::string& problem_text);
};

}  // namespace attest::second_opinion
