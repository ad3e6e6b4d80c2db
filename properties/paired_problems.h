// Two problems whose exact answers agree row by row, or differ in a known way.
#pragma once

#include <functional>

#include "properties/judge.h"

namespace attest {

// How a row of the second problem differs from that of the first.
struct known_change {
  double lse = 0;     // what is added to every logit, so that the natural lse moves by it
  double logits = 0;  // and by how much a logit may be off that
};

// Asks both problems and compares the answers: every output, and every lse returned, of the rows
// that have keys in both.
// Source: derivation/bounds/probes.md#pairs
judgement judge_pair(const problem& one, const problem& other, examiner&, const char* what,
                     const std::function<known_change(const row_index&)>& change_of);

}  // namespace attest
