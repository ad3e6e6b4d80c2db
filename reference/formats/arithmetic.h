// Arithmetic in a format: each operation is the exact one, rounded once.
#pragma once

#include <cstdint>

#include "reference/formats/rounding.h"

namespace attest {

// A unit that computes in one format with one rounding. Operands may be any doubles (numbers of
// other formats too, as in a mixed-precision multiply-add); results are numbers of the format.
// Error: every operation is correctly rounded in every format and mode, f64 included.
// Special: as IEEE 754: inf - inf, 0 * inf and 0 / 0 are NaN; 1 / 0 is an infinity, which then is
//   rounded as round_to says. A sum that cancels exactly is +0, and -0 in mode down.
class arithmetic {
 public:
  explicit arithmetic(const format& result, rounding how = {}, std::uint64_t seed = 0);

  const format& result_format() const { return *format_; }
  double convert(double x);
  double add(double x, double y);
  double sub(double x, double y);
  double mul(double x, double y);
  double div(double x, double y);
  double sqrt(double x);
  double fma(double x, double y, double z);

 private:
  double finish(const unrounded& exact);
  double finish_sum(unrounded exact, bool any_negative);

  const format* format_;
  rounding how_;
  std::uint64_t seed_;       // of the random bits of stochastic rounding
  std::uint64_t draws_ = 0;  // how many it has used
};

}  // namespace attest
