// Weights: the logits of one row in one block of keys, their exponentials over a common power of
// two, and the sum of these.
//
// Sums that round run in key_group lanes, one group of keys after the other, so that their order is
// the same for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reference/certified/weights.cc"
#include <hwy/foreach_target.h>

#include <algorithm>

#include "reference/certified/logits-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attest::HWY_NAMESPACE {

// What a block's keys hold between the passes over them.
struct block_exponentials {
  alignas(64) double high[block_keys];
  alignas(64) double low[block_keys];
  alignas(64) double power[block_keys];  // -inf: weighs nothing
  alignas(64) double error[block_keys];  // relative, of the weight
};

HWY_INLINE void exponentiate(const logit_rule& rule, const logit_terms& terms, std::size_t j,
                             double_doubles score, block_exponentials& e, row_weights& row) {
  const lanes d;
  const logits x = logits_of(rule, terms.bias == nullptr ? nullptr : terms.bias + j, score);
  const vector t = classify(x.t.hi, terms.removed == nullptr ? nullptr : terms.removed + j,
                            hn::Add(x.error, all(rule.weight_error)), most_weight_error, row);
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

// Computes: x to the nearest multiple of the last bit of `shift`. Domain: |x| < shift / 4.
HWY_INLINE vector rounded_by(double shift, vector x) {
  return hn::Sub(hn::Add(x, all(shift)), all(shift));
}

// Sums of the lanes of a group.
struct mass_sums {
  vector parts[3][group_vectors];  // multiples of 2^-26, 2^-51 and 2^-78: exact in any order
  vector rest[group_vectors];
  vector error[group_vectors];
};

HWY_INLINE void add_weight(vector high, vector low, vector error, std::size_t n, mass_sums& sums) {
  const vector coarse = rounded_by(0x1.8p+26, high), middle = rounded_by(0x1.8p-26, low);
  sums.parts[0][n] = hn::Add(sums.parts[0][n], coarse);
  sums.parts[1][n] = hn::Add(sums.parts[1][n], hn::Sub(high, coarse));
  sums.parts[2][n] = hn::Add(sums.parts[2][n], middle);
  sums.rest[n] = hn::Add(sums.rest[n], hn::Sub(low, middle));
  sums.error[n] = hn::Add(sums.error[n], error);
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
  const vector absolute = hn::Mul(w, relative);
  add_weight(high, low, absolute, j % key_group / hn::Lanes(d), sums);
  if (row.errors == nullptr) return;
  const auto weighs = hn::Gt(hn::Load(d, e.power + j), all(-infinity));
  const vector fixed = hn::IfThenElseZero(weighs, all(fixed_point_error));
  hn::Store(hn::Add(absolute, fixed), d, row.errors + j);
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
  mass_sums sums;
  for (std::size_t n = 0; n < group_vectors; ++n)
    for (vector* sum : {sums.parts[0], sums.parts[1], sums.parts[2], sums.rest, sums.error})
      sum[n] = hn::Zero(d);
  for (std::size_t j = 0; j < block_keys; j += hn::Lanes(d))
    fix_weights(e, row.power, rule.weight_error, j, row, sums);
  for (std::size_t n = 0; n < 3; ++n) row.mass[n] = sum_lanes(sums.parts[n]);
  row.mass[3] = sum_lanes(sums.rest);
  row.error = sum_lanes(sums.error) * (1 + 0x1p-40);
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
