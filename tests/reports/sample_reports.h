// Reports made by hand, with every verdict that a writer must show. Nothing in them depends on the
// catalogue.
#pragma once

#include "reports/report.h"

namespace attest {

// Passes, violations (finite and infinite ratios), misbehaviour, unsupported and undecided groups,
// hostile names.
report failing_report();
// Two properties that hold, with a run block.
report passing_report();
// Nothing failed, but a required feature was not judged and the run was interrupted.
report open_report();

}  // namespace attest
