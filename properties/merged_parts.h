// Parts of a row, as a subject gave them, put together.
#pragma once

#include <span>
#include <vector>

#include "reference/exact/enclosure.h"
#include "reference/semantics/semantics.h"

namespace attest {

struct row_part {
  double lse = 0;  // in the base of the semantics; -inf for a part that is empty
  std::vector<double> output;
};

struct merged_row {
  enclosure lse;
  std::vector<enclosure> output;
};

// Computes: lse = log sum exp(lse_s), o = sum exp(lse_s - lse) o_s. Domain: at least one part, all
// of one width. Error: in the radius. Special: only empty parts give an empty one, output 0; a NaN,
// or an lse of +inf, gives NaN.
merged_row merge(std::span<const row_part>, lse_base);

}  // namespace attest
