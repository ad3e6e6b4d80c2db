// What the weights of another normalizer than softmax may be off by.
// Statement and proof: derivation/bounds/members.md#weights.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "reference/contract/contract.h"
#include "reference/exact/exact_row.h"

namespace attest {

// Of one key: a~ = a + moved + own in size at most.
struct weight_error {
  double moved = 0;  // by wrong scores: over the keys of a row these sum to 0
  double own = 0;    // by the roundings of the normalizer
};

// Domain: the row is not empty; scores: the error of each logit as it is held.
// Result: nothing where the sum that is divided by may be 0, or no number is known.
std::optional<std::vector<weight_error>> weight_errors(const contract&, const problem&,
                                                       const exact_row&,
                                                       std::span<const double> scores);

// Whether a row that is as one without keys surely is one for an evaluation with such scores, too.
bool surely_weightless(const problem&, const exact_row&, std::span<const double> scores);

}  // namespace attest
