// A row whose logits are given.
#pragma once

#include <span>
#include <vector>

#include "reference/exact/exact_row.h"
#include "reference/multiprecision/interval.h"

namespace attest {

struct given_logit {
  std::int64_t key = 0;
  interval logit;  // finite ends
};

struct logit_row {
  exact_row row;                  // without lse and output
  std::vector<interval> weights;  // of its keys

  // Computes: sum a v of the column, v as exact_row::value has it. Domain: a finite v.
  enclosure output(const problem&, const row_index&, std::int64_t d) const;
};

// Computes: the softmax of the logits, as compute_exact_row describes that of the problem's own;
// T, |q| and |k| are of the problem's q and k. Domain: one key or more.
// Special: a gap of more than most_gap counts as that in the description, as no format holds such a
// weight; not in the weights.
logit_row row_of_logits(const problem&, const row_index&, std::span<const given_logit>);

inline constexpr double most_gap = 0x1p17;

}  // namespace attest
