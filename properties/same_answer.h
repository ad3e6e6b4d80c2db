// Two answers that must agree: to the bit, or as far as two evaluations of the same row may differ.
#pragma once

#include <functional>

#include "properties/judge.h"

namespace attest {

// Whether the numbers are equal, or both NaN.
bool same_value(double, double);

// Adds, for every row chosen, the comparison of `after` with `before` to the judgement. They answer
// problems that are the same to these rows, so they agree to the bit (+0 and -0 count as equal). A
// subject that gives other bits when the first problem is simply repeated is not deterministic: it
// is held to twice its bound instead.
void judge_same_answer(judgement&, const problem&, examiner&, const answer& before,
                       const answer& after, const char* what,
                       const std::function<bool(const row_index&)>& chosen);

// Whether the row is empty and may hold the mean of V, NaN or anything: what it does not see may
// change it.
bool is_open(const problem&, const row_index&);

// What is due where two evaluations are compared: the other's value, within the bounds of both.
due within_both(const due& one, const due& other, double other_observed);

}  // namespace attest
