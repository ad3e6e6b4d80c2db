#include "derivation/bounds/roundings.h"

#include <algorithm>
#include <cmath>

#include "reference/elementary/elementary.h"

namespace attest {
namespace {

constexpr double small_growth = 0x1p-10;  // below it, e^x - 1 <= x + x^2

}  // namespace

double unit_of(const format& f, rounding_mode mode) {
  return (mode == rounding_mode::nearest_even ? 1 : 2) * unit_roundoff(f);
}
double unit_of(const stage& s) { return unit_of(*s.number, s.mode); }

double underflow_of(const format& f, rounding_mode mode, subnormal_mode subnormals) {
  if (subnormals == subnormal_mode::flushed) return smallest_normal(f);
  return (mode == rounding_mode::nearest_even ? 0.5 : 1) * smallest_subnormal(f);
}
double underflow_of(const stage& s) { return underflow_of(*s.number, s.mode, s.subnormals); }

double argument_roundings(const contract& c) { return 1 + 2 * c.exponent_constants; }

double store_error(const stage& stored, const stage& computed) {
  return *stored.number == *computed.number ? 0 : unit_of(stored);
}

double growth(double k, double unit) {
  if (k * unit < small_growth) return k * unit * (1 + k * unit);  // log1p(u) <= u
  return expm1_double(k * log1p_double(unit));
}

double shrinkage(double k, double unit) { return expm1_double(-k * log1p_double(-unit)); }

double fused_groups(const contract& c, double terms, double positions, double merges) {
  if (c.fused_terms == 0) return 0;
  return std::min(terms, std::ceil(positions / fewest_fused_terms) + 1 + merges);
}

accumulation accumulate(double terms, const stage& s, double groups) {
  if (groups == 0) return {unit_of(s), terms};
  return {2 * unit_roundoff(*s.number), terms + groups};
}

double likely_growth(double k, double unit, double deviations) {
  return expm1_double((deviations * std::sqrt(k) * unit + k * unit * unit) / (1 - unit));
}

bool rounds_within_itself(const stage& s) {
  return s.mode == rounding_mode::nearest_even || s.mode == rounding_mode::to_zero;
}

}  // namespace attest
