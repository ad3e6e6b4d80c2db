// The list of laws: one file each, in the subfolder of its theme.
// tests/properties/catalogue_test.cc holds the list to the folder.
#pragma once

#include "properties/property.h"

namespace attest {

// definition/
extern const property matches_definition;
// mask/
extern const property masked_keys_weigh_0;
// order/
extern const property permutation_equivariance;
// scores/
extern const property score_variance_is_width;
extern const property shift_invariance;
// weights/
extern const property rows_sum_to_1;

}  // namespace attest
