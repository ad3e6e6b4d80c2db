// Vast calls: more scores, queries, keys or heads than narrow indices count and small grids hold.
#pragma once

#include "properties/domain/chooser.h"
#include "properties/domain/domain.h"

namespace attest {

// Calls of each input format that a run at effort 1 draws, one of each size.
inline constexpr int vast_calls_of_a_law = 8;

// Few: each leaves less of what is vast.
feature_set features_of_vast(feature_set allowed, chooser&);

// Narrow heads where there are many scores, so that a call stays within ten million products.
shape vast_shape(std::int64_t turn, feature_set);

// A size is met once. So these choose among what tells heads, rows and keys apart: no values that
// all heads share, no batch rows in the same storage, no scale of 0.
value_regime regime_of_vast(chooser&);
double scale_of_vast(chooser&);
layout layout_of_vast(chooser&);

}  // namespace attest
