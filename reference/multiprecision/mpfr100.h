// 100 decimal digits on MPFR: every operation and function is correctly rounded to 334 bits.
#pragma once

#include <boost/multiprecision/mpfr.hpp>

namespace attest {

using mpfr100 = boost::multiprecision::number<
    boost::multiprecision::mpfr_float_backend<100, boost::multiprecision::allocate_stack>,
    boost::multiprecision::et_off>;

}  // namespace attest
