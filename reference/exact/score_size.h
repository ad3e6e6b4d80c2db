// How large the terms of a raw score are.
#pragma once

#include "reference/definition/key_set.h"

namespace attest {

struct score_size {
  double terms = 0;     // sum |q_t k_t|, or for another scorer what its terms sum to in size
  double operands = 0;  // sum |q_t| + |k_t|
};

// Computes: both in double, raised by more than their relative error. terms: |q| |W| |k|; sum |w|
//   under a tanh; 1 for a cosine; sum |w_a| (|W| [|q|; |k|] + |b|)_a + |d|.
score_size size_of_score(const problem&, const row_index&, std::int64_t key);

// The same of q . k, whatever the scorer, raised by no more than the error of the sums.
score_size size_of_product(const problem&, const row_index&, std::int64_t key);

}  // namespace attest
