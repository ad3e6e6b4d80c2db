// Which kind of numbers a problem holds.
#pragma once

#include "properties/domain/domain.h"

namespace attest {

inline constexpr int regime_count = 14;

// Each regime once in a turn of 14, in an order of the group's own. Formats alternate, so each turn
// begins one later: otherwise the first of two formats would meet every second regime only.
value_regime regime_of(const property& law, const feature_group&, const draw&);

// Whether the stages of the contract hold the numbers of a regime; where they cannot, every row
// would be out of domain.
bool suits(value_regime, const contract&, const semantics&);

// One that suits in the place of one that doesn't.
value_regime suitable(value_regime, const contract&, const semantics&);

}  // namespace attest
