// The weights of a normalizer as intervals. Proof: derivation/bounds/members.md#enclosures.
#pragma once

#include <vector>

#include "reference/multiprecision/interval.h"
#include "reference/semantics/semantics.h"

namespace attest {

// Computes: weights that enclose those of every choice of logits in the given intervals.
// Domain: one logit or more; alpha > 1 where it is used.
// Result: nothing where relu_ratio or ratio surely has a sum of 0; whole lines where it may have
//   one, or where a logit is not finite.
// Cost: that of the number of logits, at interval_precision; for entmax of twice its exponentials.
std::vector<interval> enclose_weights(normalizer, double alpha,
                                      const std::vector<interval>& logits);

}  // namespace attest
