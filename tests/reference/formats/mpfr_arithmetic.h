// Another second opinion: MPFR, for formats too large to list.
#pragma once

#include "reference/formats/rounding.h"
#include "tests/reference/formats/number_line.h"

namespace attest {

// Computes: the operation on any doubles (those it does not read are ignored), rounded once to the
// format. Domain: an IEEE format; a deterministic mode. Subnormals are kept and overflow goes to
// infinity.
double mpfr_result(operation, const format&, rounding_mode, double x, double y, double z);

}  // namespace attest
