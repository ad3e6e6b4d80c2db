// What a program stored of one backward pass: its inputs, what it was given, and the gradients that
// came of them.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "properties/dump/dump.h"
#include "reference/definition/gradient.h"

namespace attest {

struct gradient_dump {
  problem
      posed;  // as to_problem gives it: the caller sets causal, window, scale, cap and semantics
  cotangents given;
  // What the backward pass was given of the forward; absent: what its own forward made.
  std::optional<tensor> o, lse;
  // Those that were stored, in f64, by their names.
  std::map<std::string, tensor> gradients;
  const format* inputs = &f32;  // the format of q
};

// Shapes: do as o, dlse as lse (dump.h); dq, dk and dv as q, k and v; dbias, dsink and
//   dslopes as the bias, the sinks and the slopes are stored. In the order blhd all of [B, H, L, D]
//   are [B, L, H, D].
// Error: input_error naming the array and what does not fit.
gradient_dump to_gradient_dump(found_arrays, axis_order);

}  // namespace attest
