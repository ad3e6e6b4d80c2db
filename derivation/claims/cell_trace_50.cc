#include <boost/multiprecision/cpp_bin_float.hpp>

#include "derivation/claims/cell_trace_in.h"

namespace attest {
namespace {

using boost::multiprecision::cpp_bin_float;
using mp50 = boost::multiprecision::number<cpp_bin_float<50>, boost::multiprecision::et_off>;

std::string text(const mp50& x) { return x.str(std::numeric_limits<mp50>::max_digits10); }

}  // namespace

cell_trace<std::string> trace_in_50_digits(const problem& p, const output_cell& cell,
                                           score_divisor divisor) {
  return texts_of(trace_in<mp50>(p, cell, divisor), text);
}

}  // namespace attest
