// What peer rules and attest's own bound say of a subject's answers.
#pragma once

#include <span>
#include <vector>

#include "properties/examiner.h"
#include "properties/peers/control_errors.h"
#include "properties/peers/rule.h"
#include "reference/problems/problem_spec.h"

namespace attest {

struct ruling {
  std::vector<bool> accepted;  // by each rule, in the order given; by none where it was refused
  judgement by_bound;          // of the same answer, or why there is none
};

using rule_list = std::span<const peer_rule* const>;

// Computes: a ruling on every problem, on all threads. Each problem is put to the subject once.
// Result: in the order of the problems, the same whatever the number of threads.
std::vector<ruling> rule_on(examiner&, std::span<const problem_spec>, rule_list, control_errors&);

}  // namespace attest
