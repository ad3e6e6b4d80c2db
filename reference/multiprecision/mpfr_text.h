// Decimal text of MPFR numbers, rounded to nearest by MPFR itself. (mpfr100::str() trips g++ 12's
// -Wrestrict.)
#pragma once

#include <mpfr.h>

#include <string>

namespace attest {

// Result: with `count` digits after the point: "0.250".
std::string fixed_text(mpfr_srcptr, int count);
// Result: with at most `count` significant digits, trailing zeros left out: "0.25", "1e-60".
std::string significant_text(mpfr_srcptr, int count);
// Result: with exactly that many, "0.25000"; a zero is "0".
std::string padded_text(mpfr_srcptr, int count);
// Result: a number of one digit that is not below |x|: "3e-120".
std::string size_text_above(mpfr_srcptr x);

}  // namespace attest
