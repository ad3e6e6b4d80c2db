// Steps 1 to 3 of the definition, as unlucky as the contract allows.
#pragma once

#include "derivation/unlucky/row_setting.h"

namespace attest {

// The logit of a key, short of its last factor where the scale is folded into the shift.
struct unlucky_logit {
  real value{0, 0};
  real factor = one;  // the logit is value factor, in base e or, of base_2_before, in base 2
};

// Computes: the logit of every key of the row, in the order of exact_row.
std::vector<unlucky_logit> unlucky_scores(const row_setting&, luck&);

}  // namespace attest
