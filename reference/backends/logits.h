// Steps 1 to 4 of the definition, in stages.
#pragma once

#include <vector>

#include "reference/backends/stages.h"
#include "reference/definition/key_set.h"

namespace attest {

// The kept keys of a row, ascending, and their logits; a sink is one more logit, the last, without
// a key.
struct row_logits {
  std::vector<std::int64_t> keys;
  std::vector<double> t;

  // Computes: how many of the logits come before key position j; all of them, the sink too, for j
  // >= end.
  std::size_t before(std::int64_t j, std::int64_t end) const;
};

// Computes: c, 1 / sqrt(D) unless given, in score_sum.
double scale_in(stages&, const problem&);

// Computes: t_j. q.k is summed in score_sum, product after product in the order of t, then
// multiplied by c; the soft cap is taken there too. The score goes to score_storage before the bias
// is added in bias_sum.
row_logits logits_in(stages&, const problem&, const row_index&, double c);

}  // namespace attest
