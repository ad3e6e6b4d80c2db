// Long rows: a query or a few, and hundreds or thousands of keys.
#pragma once

#include "properties/domain/chooser.h"
#include "properties/domain/domain.h"

namespace attest {

// Sets sizes, regime and features of the turn-th long row of a law.
void choose_long_row(problem_spec&, const property& law, const subject_info&, const feature_group&,
                     const draw&, std::int64_t turn, chooser&);

}  // namespace attest
