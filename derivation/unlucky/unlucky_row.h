// One row of attention that keeps its contract and is as unlucky as that allows.
#pragma once

#include "derivation/unlucky/row_setting.h"

namespace attest {

struct unlucky_answer {
  std::vector<double> output;  // numbers of the contract's output format
  double lse = 0;              // of its lse format, in the base that the semantics declares
};

// Computes: the row by the plan. The same plan gives the same bits.
unlucky_answer evaluate_unlucky(const row_setting&);

}  // namespace attest
