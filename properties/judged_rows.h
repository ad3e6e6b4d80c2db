// The rows of a problem that can be judged.
#pragma once

#include <functional>

#include "properties/judge.h"

namespace attest {

// Calls judge(place, row) for each row whose bound holds, and counts in the judgement how many rows
// there are and how many of them are out of domain.
void for_each_judged_row(
    judgement&, const problem&, const terms&,
    const std::function<void(const row_index& place, const row_reference& row)>& judge);

}  // namespace attest
