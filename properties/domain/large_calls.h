// Large calls: wide heads, several tiles, many heads, split keys, and sizes that are large
// together. Kernels take other paths there.
#pragma once

#include "properties/domain/chooser.h"
#include "properties/domain/domain.h"

namespace attest {

// How many problems of each input format a run at effort 1 draws.
int large_calls_of(const property& law, const subject_info&);

// One feature after the other for sure, each on every path.
feature_set features_of_large(feature_set allowed, std::int64_t turn, chooser&);

// Without grouped heads the number of heads stays that of the queries' heads. As many queries as
// keys, where they may not differ, make large calls of few keys.
shape large_shape(std::int64_t turn, feature_set, std::int64_t cost, chooser&);

// Every second call of a path has one regime after the other, where a law begins.
value_regime regime_of_large(const property& law, std::int64_t turn, const draw&);

}  // namespace attest
