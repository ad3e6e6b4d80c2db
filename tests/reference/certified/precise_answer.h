// A second opinion on correctly rounded answers: 2,000 bits of Boost's own arithmetic, no code of
// the first but attention.h and round_to.
#pragma once

#include <vector>

#include "reference/definition/key_set.h"
#include "reference/formats/format.h"

namespace attest {

struct precise_value {
  double number;  // rounded to the format; where it is near a tie, as if it were the tie
  bool near_tie;  // 2,000 bits do not tell it from a tie
};

// Computes: the outputs of the row, then its lse, for each of all_formats.
std::vector<std::vector<precise_value>> round_precisely(const problem&, const row_index&);

}  // namespace attest
