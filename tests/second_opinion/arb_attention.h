// A second opinion on attention: slow, on Arb's balls, and of its own from the key set to the last
// quotient. It shares only the containers of a problem with reference/: a mistake in one of them is
// no mistake in the other.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/problems/problem.h"
#include "tests/second_opinion/ball.h"

namespace attest::second_opinion {

// The place of one output row: batch row, query head, query.
struct row_place {
  std::int64_t b = 0;
  std::int64_t h = 0;
  std::int64_t i = 0;
};

// weights go with keys, output and magnitudes have Dv entries.
struct ball_row {
  std::vector<std::int64_t> keys;  // the kept ones, ascending
  std::vector<ball> weights;
  std::vector<ball> output;
  std::vector<ball> magnitudes;  // sum a|v|
  ball lse;                      // in the base that the semantics declares
  bool empty = false;            // neither a key nor a sink
  bool sums_nothing = false;     // the lse has neither in its sum
};

// Computes: e_j = exp(t_j), without a maximum subtracted, for Arb's exponents have no end; then
//   l = sum e_j [+ exp(sink)], a_j = e_j / l, o = (sum e_j v_j) / l, lse = ln l [/ ln 2], or
//   ln sum e_j where the semantics leaves the sink out of it.
// Result: balls that hold the exact row. Error: about 2^-precision of sum a|v|, of a_j, and of lse,
//   each times the largest score; see sharp_row for balls of a wanted radius.
// Special: an empty row holds what the semantics gives it, 0 and -inf where it is silent.
// Non-finite
//   kept operands leave balls that are not finite.
ball_row arb_attention(const problem&, const row_place&, long precision);

}  // namespace attest::second_opinion
