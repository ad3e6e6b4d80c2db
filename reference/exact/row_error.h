// What a row evaluated with attention.h at some precision may be off by. Proof: row_error.cc.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/definition/key_set.h"

namespace attest {

// What decides it, of one row.
struct row_size {
  int score_exponent = 0;     // |c| sum |q_t k_jt| + |bias_j| + 1 and |sink| + 1 are <= 2^this
  std::int64_t summands = 0;  // width, keys and sink
};

row_size size_of_row(const problem&, const row_index&, const std::vector<std::int64_t>& keys);

// Result: k such that at `bits` of precision a weight, and a sum of non-negative multiples of
//   weights or of exponentials, is off by at most 2^k of itself; and an lse by at most 2^k. From -1
//   on it says nothing.
int error_exponent(const row_size&, int bits);

// Result: the precision, a multiple of 64 and at least 256, from which error_exponent is at most
// -202.
int settling_bits(const row_size&);

}  // namespace attest
