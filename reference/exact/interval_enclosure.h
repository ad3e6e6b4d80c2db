// From an interval with ends of any precision to doubles.
#pragma once

#include "reference/exact/enclosure.h"
#include "reference/multiprecision/interval.h"

namespace attest {

// Computes: the middle, rounded to a double. Domain: finite ends.
double middle(const interval&);

// Computes: an enclosure that holds every number of the interval: its middle as two doubles, and
// the distance of the further end. Domain: finite ends.
enclosure enclose(const interval&);

}  // namespace attest
