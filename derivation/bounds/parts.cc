#include "derivation/bounds/parts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/elementary/elementary.h"

namespace attest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double raise = 1 + 1e-9;  // the evaluation in double

bool all_finite(std::span<const part_error> parts, double part_error::*error) {
  return std::all_of(parts.begin(), parts.end(),
                     [&](const part_error& s) { return std::isfinite(s.*error); });
}

// sum w (exp(+-L) - 1).
double mass_error(std::span<const part_error> parts, double sign) {
  double sum = 0;
  for (const part_error& s : parts) sum += s.share * expm1_double(sign * s.lse);
  return sum;
}

}  // namespace

double merged_output_bound(std::span<const part_error> parts) {
  if (!all_finite(parts, &part_error::lse) || !all_finite(parts, &part_error::output))
    return infinity;
  double errors = 0;
  for (const part_error& s : parts)
    errors += s.share * (exp_double(s.lse) * s.output + expm1_double(s.lse) * s.distance);
  const double least_mass = 1 + mass_error(parts, -1);
  return least_mass > 0 ? raise * errors / least_mass : infinity;
}

double merged_lse_bound(std::span<const part_error> parts) {
  if (!all_finite(parts, &part_error::lse)) return infinity;
  const double least_mass = mass_error(parts, -1);
  if (!(least_mass > -1)) return infinity;
  return raise * std::max(log1p_double(mass_error(parts, 1)), -log1p_double(least_mass));
}

}  // namespace attest
