// The exact answer as arrays for a file.
#pragma once

#include "properties/exchange/array_problem.h"
#include "reference/certified/rounded.h"

namespace attest {

// o and lse of a problem, with the axes of q's rank.
struct answer_arrays {
  array o;
  array lse;
};

// Domain: output [B, Hq, Lq, Dv] and lse [B, Hq, Lq] in row-major order, numbers of the format.
answer_arrays to_arrays(const array_problem&, std::vector<double> output, std::vector<double> lse,
                        const format&);

// Adds o_high, o_low, o_radius and lse_high, lse_low, lse_radius, in f64.
void add_enclosures(named_arrays&, const array_problem&, const certified_answer&);

}  // namespace attest
