// The correctly rounded answer: what an implementation with no error but the last rounding gives.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/certified/certified.h"
#include "reference/formats/format.h"

namespace attest {

struct rounded_answer {
  std::vector<double> output;  // [B, Hq, Lq, Dv], numbers of the format
  std::vector<double> lse;     // [B, Hq, Lq], in the base that the semantics declares
  // 1: the exact value lies exactly between two numbers of the format; it was rounded to the even
  // one.
  std::vector<std::uint8_t> output_ties, lse_ties;
  std::int64_t undecided = 0;          // values that the highest precision left open
  std::int64_t in_multiprecision = 0;  // values that the enclosures of certify() left open
};

// Computes: every output and lse of the problem, rounded once, to nearest, ties to even.
// Result: as round_to gives it for the exact value: subnormals kept, beyond the largest finite
//   number an infinity, or NaN in a format that has none. A tie is proved, never guessed
//   (derivation/bounds/exact_ties.md). A value that rounds to 0 keeps its sign; an exact 0 is +0.
// Error: none, but for `undecided` values, which are what the middle of their enclosure rounds to:
//   these need another scorer or normalizer, a soft cap (one over an infinite score always), or
//   exponentials that agree to thousands of digits.
// Special: what is not finite is passed on as round_to does.
// Cost: certify(), and multiprecision for the values within its radius of a tie.
rounded_answer round_correctly(const problem&, const format&, const certified_options& = {});

// Computes: the same from enclosures that are there already. Domain: they are of this problem.
rounded_answer round_correctly(const problem&, const format&, const certified_answer&);

}  // namespace attest
