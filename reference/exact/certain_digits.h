// The decimal digits of an exact value of which an enclosure leaves no doubt.
#pragma once

#include <string>

#include "reference/exact/enclosure.h"

namespace attest {

// Result: the number with as many significant digits, at most `most`, as both ends of the enclosure
//   round to alike: "0.3333333333333333333", trailing zeros left out; "?" when not even the first
//   is certain. Special: "nan", "inf", "-inf".
std::string certain_digits(const enclosure&, int most = 33);

}  // namespace attest
