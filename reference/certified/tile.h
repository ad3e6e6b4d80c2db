// Rows of one head through the stages, block by block of keys, to enclosures.
#pragma once

#include <functional>
#include <vector>

#include "reference/certified/certified.h"
#include "reference/certified/packing.h"
#include "reference/certified/stages.h"
#include "reference/definition/key_set.h"

namespace attest {

// One row as the fast engine finds it; where it is outside the engine's domain, only that.
struct certified_row {
  row_index place;
  bool outside = false;
  enclosure lse;
  std::vector<enclosure> output;
  std::vector<enclosure> weights;  // [keys] where asked for
  std::vector<double> magnitudes;  // [value_width] where asked for
};

// Computes: the rule that takes the scores of this problem to logits, and its errors.
logit_rule rule_of(const problem&);

// Computes: rows first, ..., first + rows - 1 of head (b, h). Domain: rows <= tile_rows; the head
// is that of h's KV head. The result of a row does not depend on which others share its tile.
std::vector<certified_row> certify_tile(const problem&, const packed_head&, const row_index& first,
                                        std::size_t rows, const certified_options&, const stages&);

// certify() of certified.h with these stages.
certified_answer certify(const problem&, const certified_options&, const stages&);

}  // namespace attest
