// Puts problems of linear attention to a subject and looks at what it does with its buffers.
#pragma once

#include <functional>

#include "derivation/bounds/linear.h"
#include "properties/recurrence/recurrence_subject.h"

namespace attest {

// A problem, what is due and what was answered.
struct examined_call {
  recurrence_problem asked;
  linear_answer<enclosure> exact;
  linear_bound bound;
  recurrence_answer got;

  const std::optional<judgement>& refusal() const { return got.refusal; }
};

class recurrence_examiner {
 public:
  explicit recurrence_examiner(recurrence_subject& s) : subject_(s) {}

  const recurrence_info& info() const { return subject_.info(); }
  const contract& contract_for(const format& inputs) const {
    return info().about.contract_for(inputs);
  }

  // Refusals: why the subject gave no answer; misbehaved where it wrote between the elements of an
  // output, left one unwritten, wrote an input or declined what it declares.
  // Error: not_asked (properties/time_outs.h).
  examined_call ask(recurrence_problem);

 private:
  recurrence_answer answer_to(recurrence_problem&);

  recurrence_subject& subject_;
};

// Adds: every element of o, and of the state where it was asked, against the definition. Domain: it
// was answered. Special: undecided is a bound above vacuous_share of the sum of the sizes of an
// element's terms.
void judge_by_definition(judgement&, const examined_call&);

// Where elements of one call are those of another: nothing for those that are not compared.
using element_map = std::function<std::optional<index4>(const index4&)>;

// Adds, for elements that a law says are the same in exact arithmetic, that they differ by no more
// than both bounds, and than the exact answers do where the second call was given what an earlier
// one had rounded.
void compare_outputs(judgement&, const examined_call& one, const examined_call& other,
                     const element_map&, const char* what);
void compare_states(judgement&, const examined_call& one, const examined_call& other,
                    const element_map&, const char* what);

// Adds that outputs and states of the first call are the sums of those of the two others, within
// the bounds of the three.
void compare_sums(judgement&, const examined_call& whole, const examined_call& one,
                  const examined_call& other);

}  // namespace attest
