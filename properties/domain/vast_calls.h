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

value_regime regime_of_vast(chooser&);

}  // namespace attest
