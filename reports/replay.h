// One problem of one property again, from the line that a failure printed.
#pragma once

#include <string>

#include "properties/corpus/check_corpus.h"
#include "properties/property.h"

namespace attest {

// "ADDRESS PROPERTY KEY=VALUE ...".
struct replay_request {
  std::string address;
  std::string property;
  std::string problem;
};

// Error: input_error for another form.
replay_request parse_replay_line(const std::string& line);

// What was put again, and what came of it.
struct replayed {
  const property* law = nullptr;
  problem_spec problem;
  judgement found;
};

// Error: input_error for a property or problem that is not known, or does not fit the subject.
replayed put_again(const replay_request&, subject&);
// The same from the files of a corpus; undecided where they do not hold all answers.
replayed put_again(const replay_request&, const answered_corpus&);

}  // namespace attest
