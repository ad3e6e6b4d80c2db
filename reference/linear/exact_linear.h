// The reference of linear attention: the definition in intervals.
#pragma once

#include "reference/exact/enclosure.h"
#include "reference/linear/linear_attention.h"

namespace attest {

// Computes: every output, and the state after the last position, as enclosures that contain the
//   exact value: the definition in interval arithmetic, at rising precision.
// Error: a radius of at most 2^-80 of the value, or of 2^-1074, is reached by 1,024 bits at most;
//   what keeps a larger one (a sum that cancels to 0) is enclosed all the same.
// Domain: finite inputs. Special: an infinite radius where the sum of weights of a normalised
// output can't be told from 0.
linear_answer<enclosure> exact_linear_attention(const linear_problem&);

}  // namespace attest
