// What a program already holds as the output of an attention, judged, in words for an assertion.
#pragma once

#include <string>

#include "properties/dump/judge_dump.h"

namespace attest {

struct judged_answer {
  judgement found;
  bool accepted = false;  // it holds, and at least half of its elements were decided
  std::string text;       // why it is not accepted: the worst element, and where its bound is from
};

// rows: so many are judged, sampled; 0: all. The dump is changed in between, and is then as it was.
judged_answer judge_stored(dump&, const contract&, std::int64_t rows);

}  // namespace attest
