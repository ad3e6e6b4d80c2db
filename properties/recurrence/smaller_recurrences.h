// Smaller problems of linear attention than a given one.
#pragma once

#include <vector>

#include "properties/recurrence/recurrence_spec.h"

namespace attest {

// Result: the smallest first; each asks nothing but `allowed`.
std::vector<recurrence_spec> smaller_recurrences(const recurrence_spec&,
                                                 recurrence_features allowed);

}  // namespace attest
