// How the tests of formats compare numbers and name what they tried.
#pragma once

#include <string>
#include <vector>

#include "reference/formats/rounding.h"

namespace attest {

// Result: equal bits, or both NaN. (So -0 is not +0.)
bool is_same_number(double a, double b);

// Result: as "0x1.8p+1 (3)".
std::string number_text(double x);
std::string rounding_text(rounding how);

// Result: the modes that read no random bits.
const std::vector<rounding_mode>& deterministic_modes();
// Result: each of those with subnormals kept and flushed, overflow to infinity and saturating.
const std::vector<rounding>& deterministic_roundings();

}  // namespace attest
