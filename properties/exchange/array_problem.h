// A problem made of arrays that somebody else computed, and answers as arrays.
#pragma once

#include <optional>
#include <string>

#include "properties/exchange/npy.h"
#include "reference/problems/problem.h"

namespace attest {

// The files of a problem. q, k and v have rank 2 [L, D], 3 [H, L, D] or 4 [B, H, L, D], the same
// for all; mask and bias are broadcast to [B, Hq, Lq, Lk] as NumPy does.
struct problem_files {
  std::string q, k, v;
  std::string mask, bias;  // empty: none
};

struct array_problem {
  problem posed;  // in f64, which holds every value; no causal mask, window, scale or cap: the
                  // caller sets those
  std::size_t rank = 4;  // of q, and so of the answer
};

// Error: input_error naming the file and the sizes that do not fit.
array_problem read_problem(const problem_files&);

// Computes: the tensor as an array of that rank. Domain: the sizes left out in front are 1.
array to_array(const tensor&, std::size_t rank);

}  // namespace attest
