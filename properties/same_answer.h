// Two answers that must agree: to the bit, or as far as two evaluations of the same row may differ.
#pragma once

#include <functional>

#include "properties/judge.h"

namespace attest {

// Whether the numbers are equal, or both NaN.
bool same_value(double, double);

struct answered_problem {
  const problem& posed;
  const answer& given;
};

// Adds, for every row chosen, the comparison of the second answer with the first to the judgement.
// The problems are the same in all that may be read, so the answers agree to the bit (+0 and -0
// count as equal). A subject that gives other bits when either problem is simply repeated, several
// times and at other addresses, is not deterministic: it is held to twice its bound instead.
void judge_same_answer(judgement&, examiner&, const answered_problem& before,
                       const answered_problem& after, const char* what,
                       const std::function<bool(const row_index&)>& chosen);

// Whether the row is empty and may hold the mean of V, NaN or anything: what it does not see may
// change it.
bool is_open(const problem&, const row_index&);

// Whether nothing of a key outside the row's set may be read: beyond a length, and elsewhere where
// the semantics says so; not under a bias of -inf that leaves the key in its place.
bool is_never_read(const problem&, const row_index&, std::int64_t key);

// One of two evaluations that are compared: what it may be, and what it is.
struct evaluation {
  due allowed;
  double observed = 0;
};

// Adds the comparison of two evaluations of one value, or of values that are `shift` apart to
// within `extra`: they differ by no more than both bounds allow. Special: one may overflow where
// the other just does not, so where one is not finite each is judged by itself.
void judge_two(judgement&, const evaluation& one, const evaluation& other, const std::string& where,
               const char* what, double shift = 0, double extra = 0);

}  // namespace attest
