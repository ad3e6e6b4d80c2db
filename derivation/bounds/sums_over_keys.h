// What sums over keys hold that are formed before the query is looked at: S = sum f(k_j) v_j.
// Statement: derivation/bounds/members.md#weights, sums over keys first.
#pragma once

#include "reference/exact/exact_row.h"

namespace attest {

// Sizes of f(q) and f(k), where a score is a product f(q).f(k) and its normalizer lets sums be
// taken apart; 0 elsewhere. In double, not rounded up.
struct factors {
  double key = 0;    // the largest entry of f(k) of any key of the row, scaled or not
  double query = 0;  // the sum of the entries of f(q), scaled or not
};

factors factors_of(const problem&, const row_index&, const exact_row&);

}  // namespace attest
