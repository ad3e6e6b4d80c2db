#include "reference/positions/rotary.h"

#include <algorithm>

#include "reference/elementary/elementary.h"

namespace attest {
namespace {

constexpr double two_pi = 6.283185307179586;

double power(double x, double y) { return exp_double(y * log_double(x)); }

// The slowest pair turns by base^-((n - 1) / n), so that n pairs ask for factor^(n / (n - 1)).
double base_of(const rotary_angles& a, double pairs) {
  if (a.scaling != rotary_scaling::ntk_aware || pairs < 2) return a.base;
  return a.base * power(a.factor, pairs / (pairs - 1));
}

// 1 where a pair turns often enough to be kept, 0 where it is divided by the factor.
double share_kept(const rotary_angles& a, double frequency) {
  const double turns = a.trained_positions * frequency / two_pi;
  return std::clamp((turns - a.low_turns) / (a.high_turns - a.low_turns), 0.0, 1.0);
}

double scaled(const rotary_angles& a, double frequency) {
  switch (a.scaling) {
    case rotary_scaling::linear:
      return frequency / a.factor;
    case rotary_scaling::by_wavelength: {
      const double kept = share_kept(a, frequency);
      return (1 - kept) * frequency / a.factor + kept * frequency;
    }
    default:
      return frequency;
  }
}

}  // namespace

std::vector<double> rotary_frequencies(const rotary_angles& a, std::int64_t pairs) {
  const double n = static_cast<double>(pairs), base = base_of(a, n);
  std::vector<double> all;
  for (std::int64_t t = 0; t < pairs; ++t)
    all.push_back(scaled(a, power(base, -static_cast<double>(t) / n)));
  return all;
}

}  // namespace attest
