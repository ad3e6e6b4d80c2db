// All rows of a problem, tile by tile, on as many threads as are wanted.
#pragma once

#include <functional>

#include "reference/certified/certified.h"
#include "reference/certified/packing.h"

namespace attest {

// A head, the first of its rows, and how many follow each other from there.
using tile_visit = std::function<void(const packed_head&, const row_index&, std::size_t)>;

// Calls visit once for every tile, from several threads at once where options has several, and
// options.progress after each.
void for_each_tile(const problem&, const certified_options&, const tile_visit&);

}  // namespace attest
