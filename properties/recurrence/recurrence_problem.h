// A problem of linear attention as it is put to a subject, and what came back.
#pragma once

#include <optional>

#include "properties/recurrence/recurrence_spec.h"
#include "properties/verdict.h"

namespace attest {

struct recurrence_problem {
  linear_problem posed;  // decay, where heads have one each, with strides of 0
  const format* inputs = &f32;
  decay_kind decay = decay_kind::none;
  bool asks_state = false;
  layout placed = layout::bhld;  // of q, k, v and o
};

struct recurrence_answer {
  tensor o;
  std::optional<tensor> state;       // where it was asked
  std::optional<judgement> refusal;  // why there is no answer
};

// The format of decay and states beside inputs of a format: f64 beside f64, otherwise f32.
const format& state_format(const format& inputs);

// Computes: every bit of the problem, the same on any machine and compiler. Keys under a delta rule
// are so short, or their rates so small, that sums of sizes stay in the order of the answer; where
// not, positions are few (draw_recurrence).
recurrence_problem materialise(const recurrence_spec&);

// Computes: the n-th problem of a seed that asks nothing but `allowed`, and surely all of `asked`.
// Domain: allowed is answerable, contains asked, and one problem can ask all of asked.
recurrence_spec draw_recurrence(std::uint64_t seed, std::uint64_t n, recurrence_features allowed,
                                recurrence_features asked,
                                const std::vector<const format*>& inputs);

}  // namespace attest
