// What a program already holds as the output of an attention, judged.
#pragma once

#include <optional>
#include <string>

#include "properties/exchange/array_problem.h"
#include "properties/verdict.h"
#include "reference/contract/contract.h"

namespace attest {

struct stored_answer {
  array o;
  std::optional<array> lse;
};

struct judged_answer {
  judgement found;
  bool accepted = false;  // it holds, and at least half of its elements were decided
  std::string text;       // why it is not accepted: the worst element, and where its bound is from
};

// Error: input_error for sizes that are not those of the problem's answer.
judged_answer judge_stored(const array_problem&, const stored_answer&, const contract&);

}  // namespace attest
