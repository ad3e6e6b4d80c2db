// How far from the exact answer an implementation of linear attention that keeps its contract can
// be. Statement, assumptions and proof: derivation/bounds/linear.md.
#pragma once

#include <vector>

#include "reference/contract/contract.h"
#include "reference/linear/exact_linear.h"

namespace attest {

// In the order of linear_answer. An infinite bound decides nothing.
struct linear_bound {
  std::vector<double> output, state;
  // The same numbers with every term by its size: what an output, or an element of the state, is a
  // sum of. A bound that is a sizeable share of it says little.
  std::vector<double> output_size, state_size;
};

// Computes: the largest |o~ - o| of every output and |S~ - S| of the state, which is stored in that
// format; nullptr: in the contract's output. Evaluated in double and raised by more than the error
// of that evaluation.
linear_bound bound_of(const contract&, const linear_problem&, const linear_answer<enclosure>& exact,
                      const format* state = nullptr);

}  // namespace attest
