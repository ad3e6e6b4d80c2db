#include "reference/backends/logits.h"

#include <algorithm>

#include "reference/definition/bias.h"

namespace attest {
namespace {

double raw_score_in(stages& in, const problem& p, const row_index& row, std::int64_t j) {
  arithmetic& unit = in.score_sum;
  double sum = 0;
  for (std::int64_t t = 0; t < p.dims.width; ++t) {
    const double q = unit.convert(p.q.at(row.b, row.h, row.i, t));
    const double k = unit.convert(p.k.at(row.b, p.kv_head(row.h), j, t));
    sum = unit.add(sum, unit.mul(q, k));
  }
  return sum;
}

double soft_capped_in(arithmetic& unit, double score, double soft_cap) {
  if (!(soft_cap > 0)) return score;
  const double cap = unit.convert(soft_cap);
  return unit.mul(cap, tanh_in(unit, unit.div(score, cap)));
}

double biased_in(stages& in, const problem& p, const row_index& row, std::int64_t j, double score) {
  return in.bias_sum.add(score, in.bias_sum.convert(bias_of(p, row, j)));
}

// The score is stored once: as it leaves score_sum for the next stage.
double logit_in(stages& in, const problem& p, const row_index& row, std::int64_t j, double score) {
  const bool cap_last = has_bias(p) && p.rules.caps_bias();
  if (cap_last) {
    const double biased = biased_in(in, p, row, j, in.score_storage.convert(score));
    return soft_capped_in(in.score_sum, biased, p.soft_cap);
  }
  const double stored = in.score_storage.convert(soft_capped_in(in.score_sum, score, p.soft_cap));
  return has_bias(p) ? biased_in(in, p, row, j, stored) : stored;
}

}  // namespace

std::size_t row_logits::before(std::int64_t j, std::int64_t end) const {
  if (j >= end) return t.size();
  return static_cast<std::size_t>(std::lower_bound(keys.begin(), keys.end(), j) - keys.begin());
}

double scale_in(stages& in, const problem& p) {
  if (p.scale) return in.score_sum.convert(*p.scale);
  if (!p.rules.divides_by_root_of_width()) return 1;
  const double width = in.score_sum.convert(static_cast<double>(p.dims.width));
  return in.score_sum.div(1, in.score_sum.sqrt(width));
}

row_logits logits_in(stages& in, const problem& p, const row_index& row, double c) {
  row_logits logits{key_set(p, row), {}};
  for (std::int64_t j : logits.keys)
    logits.t.push_back(
        is_capped_mask(p, row, j)
            ? in.score_sum.convert(-p.soft_cap)
            : logit_in(in, p, row, j, in.score_sum.mul(c, raw_score_in(in, p, row, j))));
  if (!p.sink.empty())
    logits.t.push_back(in.bias_sum.convert(p.sink[static_cast<std::size_t>(row.h)]));
  return logits;
}

}  // namespace attest
