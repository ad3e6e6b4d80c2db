// attest check --rule: another suite's rule in place of the derived bound.
#pragma once

#include "reports/options.h"

namespace attest {

// Puts the problems of matches_definition to the subject and prints how many answers the rule
// accepts, and how many of these the derived bound proves wrong.
// Result: exit code 1 when the rule rejects an answer, otherwise 0.
// Error: input_error for a rule that is not on the list.
int check_by_rule(const check_options&);

}  // namespace attest
