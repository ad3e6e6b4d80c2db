// The reference for every member of the family: one row of the definition in interval arithmetic.
// Its radius is proved by construction.
#pragma once

#include <vector>

#include "reference/exact/exact_row.h"
#include "reference/multiprecision/interval.h"

namespace attest {

// One row at interval_precision.
struct row_enclosure {
  std::vector<std::int64_t> keys;
  std::vector<interval> logits;   // of the keys, then of the sink if there is one
  std::vector<interval> weights;  // likewise; none where they sum to 0: then the row is as one
                                  // without keys
  std::vector<interval> output;
  interval lse;  // in base e

  bool weightless() const { return weights.size() < logits.size(); }
};

row_enclosure enclose_row(const problem&, const row_index&);

// compute_exact_row for all but a softmax of products, at rising precision.
// Error: the radius of an output is at most 2^-76 of sum |a v|, that of an lse 2^-76 of 1 + |lse|;
//   infinite where 4096 bits do not tell whether there is a sum to divide by.
exact_row compute_member_row(const problem&, const row_index&);
// The same at a precision of one's own. Domain: bits >= 64.
exact_row compute_member_row(const problem&, const row_index&, int bits);

}  // namespace attest
