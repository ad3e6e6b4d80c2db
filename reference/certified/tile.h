// Rows of one head through the stages, block by block of keys, to enclosures.
#pragma once

#include <functional>
#include <vector>

#include "reference/certified/certified.h"
#include "reference/certified/packing.h"
#include "reference/certified/stages.h"
#include "reference/definition/key_set.h"
#include "reference/exact/exact_row.h"

namespace attest {

// What is wanted of a row besides o and lse.
struct wanted {
  bool weights = false;
  bool magnitudes = false;
  bool keys = false;  // the keys of exact_row
};

// One row as the fast engine finds it; where it is outside the engine's domain, only that.
struct certified_row {
  row_index place;
  bool outside = false;
  exact_row row;                   // keys, greatest, log_mass and scale where asked for
  std::vector<enclosure> weights;  // [keys] where asked for
  std::vector<double> magnitudes;  // [value_width] where asked for
};

// Computes: rows first, ..., first + rows - 1 of head (b, h). Domain: rows <= tile_rows; the head
// is that of h's KV head. The result of a row does not depend on which others share its tile.
std::vector<certified_row> certify_tile(const problem&, const packed_head&, const row_index& first,
                                        std::size_t rows, const wanted&, const stages&);

// certify() of certified.h with these stages.
certified_answer certify(const problem&, const certified_options&, const stages&);

}  // namespace attest
