// Weights: the logits of one row in one block of keys, their exponentials over a common power of
// two, and the sum of these.
//
// Sums that round run in key_group lanes, one group of keys after the other, so that their order is
// the same for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reference/certified/weights.cc"
#include <hwy/foreach_target.h>

#include <algorithm>
#include <limits>

#include "reference/certified/budget.h"
#include "reference/certified/double_double-inl.h"
#include "reference/certified/exponential-inl.h"
#include "reference/certified/exponential.h"
#include "reference/certified/stages.h"

HWY_BEFORE_NAMESPACE();
namespace attest::HWY_NAMESPACE {

constexpr double infinity = std::numeric_limits<double>::infinity();

// What a block's keys hold between the passes over them.
struct block_exponentials {
  alignas(64) double high[block_keys];
  alignas(64) double low[block_keys];
  alignas(64) double power[block_keys];  // -inf: weighs nothing
  alignas(64) double error[block_keys];  // relative, of the weight
};

HWY_INLINE double_doubles soft_capped(const logit_rule& rule, double_doubles x) {
  const double_doubles ratio = times(x, {all(rule.inverse_cap_high), all(rule.inverse_cap_low)});
  return times(tanh_of(ratio), {all(rule.cap), hn::Zero(lanes())});
}

struct logits {
  double_doubles t;
  vector error;  // absolute, of what grows with the logit
};

// Steps 1 to 3 of the definition. bias: of these keys, or null.
HWY_INLINE logits logits_of(const logit_rule& rule, const double* bias, double_doubles score) {
  double_doubles x = times(score, {all(rule.scale_high), all(rule.scale_low)});
  vector error = hn::Mul(all(rule.scale_error), hn::Abs(x.hi));
  if (rule.cap > 0 && !rule.cap_last) {
    x = soft_capped(rule, x);
    error = hn::Zero(lanes());  // in cap_error, whatever the score
  }
  if (bias != nullptr) x = plus(x, hn::LoadU(lanes(), bias));
  if (rule.cap > 0 && rule.cap_last) return {soft_capped(rule, x), error};
  if (bias != nullptr) error = hn::Add(error, hn::Mul(all(addition_error), hn::Abs(x.hi)));
  return {x, error};
}

// Sets whether a logit is outside or dropped. Result: the logits, -inf for a removed key.
HWY_INLINE vector classify(vector t, const double* removed, row_weights& row) {
  const lanes d;
  const vector kept = removed == nullptr ? t : hn::Add(t, hn::LoadU(d, removed));
  row.outside |= !hn::AllTrue(d, hn::Le(kept, all(most_logit)));
  const auto low = hn::And(hn::Lt(kept, all(-most_logit)), hn::Gt(kept, all(-infinity)));
  row.dropped |= !hn::AllFalse(d, low);
  return kept;
}

HWY_INLINE void exponentiate(const logit_rule& rule, const logit_terms& terms, std::size_t j,
                             double_doubles score, block_exponentials& e, row_weights& row) {
  const lanes d;
  const logits x = logits_of(rule, terms.bias == nullptr ? nullptr : terms.bias + j, score);
  const vector t = classify(x.t.hi, terms.removed == nullptr ? nullptr : terms.removed + j, row);
  const auto weighs = hn::Ge(t, all(-most_logit));
  const double_doubles argument{hn::IfThenElseZero(weighs, t), hn::IfThenElseZero(weighs, x.t.lo)};
  const exponentials w = exponential(argument);
  hn::Store(w.fraction.hi, d, e.high + j);
  hn::Store(w.fraction.lo, d, e.low + j);
  hn::Store(hn::IfThenElse(weighs, w.power, all(-infinity)), d, e.power + j);
  hn::Store(hn::IfThenElseZero(weighs, x.error), d, e.error + j);
  if (row.logit_high == nullptr) return;
  hn::Store(x.t.hi, d, row.logit_high + j);
  hn::Store(x.t.lo, d, row.logit_low + j);
}

// Computes: 2^n, and 0 for n < -least_power. Domain: integers up to 1023, or -inf.
HWY_INLINE vector power_of_two_or_0(vector n) {
  const hn::RebindToUnsigned<lanes> bits;
  const vector shifted = hn::Add(n, all(0x1.8p+52 + 1023));
  const vector power = hn::BitCast(lanes(), hn::ShiftLeft<52>(hn::BitCast(bits, shifted)));
  return hn::IfThenElseZero(hn::Ge(n, all(-least_power)), power);
}

// Computes: x to the nearest multiple of the last bit of `shift`. Domain: |x| < shift / 4.
HWY_INLINE vector rounded_by(double shift, vector x) {
  return hn::Sub(hn::Add(x, all(shift)), all(shift));
}

// Sums of one group's lanes, a vector for each lanes of it.
struct mass_sums {
  vector parts[3];  // multiples of 2^-26, 2^-51 and 2^-78: exact in any order
  vector rest;
  vector error;
};

HWY_INLINE void add_weight(vector high, vector low, vector error, mass_sums& sums) {
  const vector coarse = rounded_by(0x1.8p+26, high), middle = rounded_by(0x1.8p-26, low);
  sums.parts[0] = hn::Add(sums.parts[0], coarse);
  sums.parts[1] = hn::Add(sums.parts[1], hn::Sub(high, coarse));
  sums.parts[2] = hn::Add(sums.parts[2], middle);
  sums.rest = hn::Add(sums.rest, hn::Sub(low, middle));
  sums.error = hn::Add(sums.error, hn::Mul(high, error));
}

// Computes: the weights of the keys from j on over 2^power, in fixed point.
HWY_INLINE void fix_weights(const block_exponentials& e, double power, double error, std::size_t j,
                            const row_weights& row, mass_sums& sums) {
  const lanes d;
  const vector factor = power_of_two_or_0(hn::Sub(hn::Load(d, e.power + j), all(power)));
  const vector w = hn::Mul(hn::Load(d, e.high + j), factor);
  const vector high = hn::Sub(hn::Add(w, all(2)), all(2));
  const vector low = hn::Add(hn::Sub(w, high), hn::Mul(hn::Load(d, e.low + j), factor));
  hn::Store(high, d, row.high + j);
  hn::Store(low, d, row.low + j);
  const vector relative = hn::Add(all(error), hn::Load(d, e.error + j));
  add_weight(high, low, relative, sums);
  if (row.errors == nullptr) return;
  const auto weighs = hn::Gt(hn::Load(d, e.power + j), all(-infinity));
  const vector fixed = hn::IfThenElseZero(weighs, all(fixed_point_error));
  hn::Store(hn::Add(hn::Mul(high, relative), fixed), d, row.errors + j);
}

// Adds the lanes of a group in their order.
template <class Member>
HWY_INLINE double sum_lanes(const mass_sums* sums, Member member) {
  alignas(64) double lane[key_group];
  const lanes d;
  for (std::size_t n = 0; n < key_group / hn::Lanes(d); ++n)
    hn::Store(member(sums[n]), d, lane + n * hn::Lanes(d));
  double sum = 0;
  for (const double x : lane) sum += x;
  return sum;
}

void weigh_block(const logit_rule& rule, const logit_terms& terms, const double* high,
                 const double* low, row_weights& row) {
  const lanes d;
  block_exponentials e;
  for (std::size_t j = 0; j < block_keys; j += hn::Lanes(d))
    exponentiate(rule, terms, j, {hn::Load(d, high + j), hn::Load(d, low + j)}, e, row);
  const double greatest = *std::max_element(e.power, e.power + block_keys);
  row.any = greatest > -infinity;
  if (!row.any) return;
  row.power = static_cast<int>(greatest) + 1;
  mass_sums sums[key_group / hn::MaxLanes(d)];
  for (mass_sums& s : sums) s = {{hn::Zero(d), hn::Zero(d), hn::Zero(d)}, hn::Zero(d), hn::Zero(d)};
  for (std::size_t j = 0; j < block_keys; j += hn::Lanes(d))
    fix_weights(e, row.power, rule.weight_error, j, row, sums[j % key_group / hn::Lanes(d)]);
  for (std::size_t n = 0; n < 3; ++n)
    row.mass[n] = sum_lanes(sums, [n](const mass_sums& s) { return s.parts[n]; });
  row.mass[3] = sum_lanes(sums, [](const mass_sums& s) { return s.rest; });
  row.error = sum_lanes(sums, [](const mass_sums& s) { return s.error; }) * (1 + 0x1p-40);
}

}  // namespace attest::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attest {

HWY_EXPORT(weigh_block);

void weigh_block(const logit_rule& rule, const logit_terms& terms, const double* high,
                 const double* low, row_weights& row) {
  HWY_DYNAMIC_DISPATCH(weigh_block)(rule, terms, high, low, row);
}

}  // namespace attest
#endif
