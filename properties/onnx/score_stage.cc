#include "properties/onnx/score_stage.h"

#include <cmath>
#include <limits>

#include "properties/onnx/call_problem.h"

namespace attest {
namespace {

// An excluded key has no bias left to add.
void set_finite_bias(problem& p) {
  if (!p.bias) return;
  tensor& bias = *p.bias;
  const placement& where = bias.where();
  for_each_index(where.sizes, [&](const index4& i) {
    if (bias.at(i) == -std::numeric_limits<double>::infinity()) bias.set(i, 0);
  });
}

problem without_masks(problem p) {
  p.mask.reset();
  p.lengths.clear();
  p.causal = causal_anchor::none;
  p.sliding = {};
  set_finite_bias(p);
  return p;
}

}  // namespace

score_stage stage_of(const attention_call& c, const onnx_conventions& o) {
  const bool cap_first = o.modes == mode_numbers::cap_1_bias_2;
  const score_stage capped = c.given.softcap > 0 ? score_stage::capped : score_stage::raw;
  switch (c.given.qk_matmul_output_mode) {
    case 0:
      return score_stage::raw;
    case 1:
      return cap_first ? capped : score_stage::biased;
    case 2:
      return cap_first ? score_stage::biased : capped;
    default:
      return score_stage::weight;
  }
}

staged_scores::staged_scores(const attention_call& c, const onnx_conventions& o, score_stage stage)
    : stage_(stage), masked_(to_problem(c, o)), unmasked_(without_masks(masked_)) {
  const bool cap_is_last = o.rules.caps_bias();
  const bool is_first = cap_is_last ? stage == score_stage::biased : stage == score_stage::capped;
  if (stage == score_stage::raw || (is_first && cap_is_last)) unmasked_.soft_cap = 0;
  if (stage == score_stage::raw || (is_first && !cap_is_last)) unmasked_.bias.reset();
  unmasked_.rules.cap = cap_is_last ? cap_order::after_bias : cap_order::before_bias;
  caps_masked_ = cap_is_last && stage == score_stage::capped && masked_.soft_cap > 0;
  masked_.soft_cap = 0;
}

bool staged_scores::is_masked(const row_index& place, std::int64_t key) const {
  if (stage_ == score_stage::raw) return false;
  const bool cap_alone = stage_ == score_stage::capped && !masked_.rules.caps_bias();
  return !cap_alone && !keeps(masked_, place, key);
}

double staged_scores::masked_score() const {
  return caps_masked_ ? -unmasked_.soft_cap : -std::numeric_limits<double>::infinity();
}

}  // namespace attest
