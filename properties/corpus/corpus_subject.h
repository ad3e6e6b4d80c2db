// A subject whose answers were stored. Where one is not, the problem is kept, to be asked
// elsewhere, and the exact answer stands in so that the law asks on.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "properties/corpus/answer_files.h"
#include "properties/run.h"
#include "properties/subject.h"

namespace attest {

// A problem that a trial asked.
struct asked_problem {
  problem posed;
  std::int64_t repeat = 0;  // how often the same trial asked the same before
  std::string digest;       // as problem_digest
};

// Result: the answer that is stored to it, or nullptr.
using stored_answer_to = std::function<const stored_answer*(const asked_problem&)>;

// What became of a trial on stored answers.
struct stored_trial {
  judgement found;  // means nothing where problems are unanswered
  std::vector<asked_problem> unanswered;
};

// Computes: the law's judgement on the problem. The first failing answer ends a trial, as it does
// for any subject.
stored_trial judge_stored(const property&, const problem_spec&, const subject_info&,
                          const assurance&, const stored_answer_to&);

}  // namespace attest
