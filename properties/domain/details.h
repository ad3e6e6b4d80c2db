// What a problem asks of each feature that it has.
#pragma once

#include "properties/domain/chooser.h"
#include "properties/domain/domain.h"

namespace attest {

// Global keys are told apart only where something else leaves keys out by their place; slopes stand
// in the place of a bias; pages are told by batch rows that end within one.
feature_set reconciled(feature_set, const feature_group&, feature_set allowed);

// Sets what the features of a problem are, whose sizes and regime stand.
void choose_details(problem_spec&, feature_set, const feature_group&, const draw&, chooser&);

}  // namespace attest
