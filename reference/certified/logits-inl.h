// From scores to logits, and what else the two passes do alike. Compiled for each instruction set.
#if defined(ATTEST_LOGITS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTEST_LOGITS_INL_H
#undef ATTEST_LOGITS_INL_H
#else
#define ATTEST_LOGITS_INL_H
#endif

#include <limits>

#include "reference/certified/budget.h"
#include "reference/certified/double_double-inl.h"
#include "reference/certified/exponential-inl.h"
#include "reference/certified/exponential.h"
#include "reference/certified/stages.h"

HWY_BEFORE_NAMESPACE();
namespace attest::HWY_NAMESPACE {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t group_vectors = key_group / hn::MaxLanes(lanes());

HWY_INLINE double_doubles soft_capped(const logit_rule& rule, double_doubles x) {
  const double_doubles ratio = times(x, {all(rule.inverse_cap_high), all(rule.inverse_cap_low)});
  return times(tanh_of(ratio), {all(rule.cap), hn::Zero(lanes())});
}

struct logits {
  double_doubles t;
  vector error;  // absolute, of what grows with the logit
};

// The same number, but infinity where it is not a number or so large that its products overflow.
HWY_INLINE double_doubles within_range(double_doubles x) {
  return {hn::IfThenElse(hn::Lt(hn::Abs(x.hi), all(most_factor)), x.hi, all(infinity)), x.lo};
}

// Steps 1 to 3 of the definition. bias: of these keys, or null. Special: an infinite logit where a
// soft cap hides what is out of range.
HWY_INLINE logits logits_of(const logit_rule& rule, const double* bias, double_doubles score) {
  double_doubles x = times(score, {all(rule.scale_high), all(rule.scale_low)});
  vector error = hn::Mul(all(rule.scale_error), hn::Abs(x.hi));
  vector in_range = hn::Zero(lanes());  // infinity where it is not
  if (rule.cap > 0 && !rule.cap_last) {
    in_range = hn::Sub(within_range(x).hi, x.hi);
    x = soft_capped(rule, x);
    error = hn::Zero(lanes());  // in cap_error, whatever the score
  }
  if (bias != nullptr) x = plus(x, hn::LoadU(lanes(), bias));
  if (rule.cap > 0 && rule.cap_last) {
    in_range = hn::Sub(within_range(x).hi, x.hi);
    x = soft_capped(rule, x);
  } else if (bias != nullptr) {
    error = hn::Add(error, hn::Mul(all(addition_error), hn::Abs(x.hi)));
  }
  return {{hn::Add(x.hi, in_range), x.lo}, error};
}

// Sets whether a logit of a key in the set is outside the engine's domain or dropped: above
// most_logit, not finite, or so uncertain that its weight is, unless it surely weighs nothing.
// error: of the logit and its weight. Result: the logits, -inf for a removed key.
HWY_INLINE vector classify(vector t, const double* removed, vector error, double most_error,
                           row_weights& row) {
  const lanes d;
  const vector kept =
      removed == nullptr
          ? t
          : hn::IfThenElse(hn::Eq(hn::LoadU(d, removed), hn::Zero(d)), t, all(-infinity));
  const auto fits = hn::And(hn::Le(kept, all(most_logit)), hn::Le(error, all(most_error)));
  const auto drops = hn::Lt(hn::Add(kept, error), all(-most_logit));
  row.outside |= !hn::AllTrue(d, hn::Or(fits, drops));
  row.dropped |=
      !hn::AllFalse(d, hn::And(hn::Lt(kept, all(-most_logit)), hn::Gt(kept, all(-infinity))));
  return kept;
}

// Computes: 2^n, and 0 for n < -least_power. Domain: integers up to 1023, or -inf.
HWY_INLINE vector power_of_two_or_0(vector n) {
  const hn::RebindToUnsigned<lanes> bits;
  const vector shifted = hn::Add(n, all(0x1.8p+52 + 1023));
  const vector power = hn::BitCast(lanes(), hn::ShiftLeft<52>(hn::BitCast(bits, shifted)));
  return hn::IfThenElseZero(hn::Ge(n, all(-least_power)), power);
}

// Adds the lanes of a group's vectors in their order.
HWY_INLINE double sum_lanes(const vector* group) {
  alignas(64) double lane[key_group];
  const lanes d;
  for (std::size_t n = 0; n < group_vectors; ++n) hn::Store(group[n], d, lane + n * hn::Lanes(d));
  double sum = 0;
  for (const double x : lane) sum += x;
  return sum;
}

}  // namespace attest::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
