// From scores to logits: the numbers of a problem that every row shares.
#pragma once

#include "reference/certified/stages.h"
#include "reference/problems/problem.h"

namespace attest {

// Computes: scale, cap and order of a problem, and the errors of applying them (budget.h).
logit_rule rule_of(const problem&);

}  // namespace attest
