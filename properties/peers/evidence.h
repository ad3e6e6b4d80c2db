// What a peer rule is shown of a subject's answer.
#pragma once

#include "properties/examiner.h"
#include "properties/peers/rule.h"

namespace attest {

// Computes: the output, the exact answer rounded once to its format and, where asked for, the
// competitor's output: the eager backend in the arithmetic of the inputs. Rows whose content the
// semantics leaves open are left out of all three. control_error stays 0.
// Domain: the answer was not refused.
peer_evidence gather_evidence(const problem&, const answer&, bool with_competitor);

}  // namespace attest
