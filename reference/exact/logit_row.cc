#include "reference/exact/logit_row.h"

#include <algorithm>
#include <cmath>

#include "reference/exact/interval_enclosure.h"
#include "reference/exact/interval_weights.h"
#include "reference/exact/score_size.h"

namespace attest {
enclosure logit_row::output(const problem& p, const row_index& place, std::int64_t d) const {
  interval sum(0);
  for (std::size_t n = 0; n < weights.size(); ++n)
    sum = sum + weights[n] * interval(row.value(p, place, n, d));
  return enclose(sum);
}

logit_row row_of_logits(const problem& p, const row_index& place,
                        std::span<const given_logit> given) {
  std::vector<interval> logits;
  for (const given_logit& each : given) logits.push_back(each.logit);
  const auto greatest =
      static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
  logit_row result{{}, enclose_weights(normalizer::softmax, 0, logits)};
  exact_row& row = result.row;
  row.scale = std::fabs(p.scale_or_usual());
  row.greatest = middle(logits[greatest]);
  row.log_mass = std::max(0.0, middle(log(interval(1) / result.weights[greatest])));
  for (std::size_t n = 0; n < given.size(); ++n) {
    exact_key key{.key = given[n].key, .weight = middle(result.weights[n])};
    key.gap = std::clamp(middle(logits[greatest] - logits[n]), 0.0, most_gap);
    key.logit = key.gap < most_gap ? middle(logits[n]) : row.greatest - most_gap;
    key.capped = std::fabs(key.logit);
    const score_size size = size_of_product(p, place, key.key);
    key.unscaled = size.terms;
    key.operands = size.operands;
    key.magnitude = row.scale * key.unscaled;
    row.keys.push_back(key);
  }
  return result;
}

}  // namespace attest
