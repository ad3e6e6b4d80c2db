// How far correct implementations are off: what a calibrated tolerance is made of.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "reference/formats/format.h"

namespace attest {

// Computes: the 95th percentile of samples: the one at round(0.95 (n - 1)) in their order.
// Domain: at least one sample. Special: NaN counts as the greatest.
double percentile_95(std::span<const double> samples);

// One number for each input format, computed when it is first asked for. Not for several threads.
class control_errors {
 public:
  explicit control_errors(std::uint64_t seed) : seed_(seed) {}

  // Computes: the 95th percentile of max |x - y|, taken over the built-in backends of the format
  // (in every order of evaluation, none of multiprecision) and one head of each of the first 8
  // usual_problems of all features.
  double of(const format& inputs);

 private:
  std::uint64_t seed_;
  std::map<std::string_view, double> known_;
};

}  // namespace attest
