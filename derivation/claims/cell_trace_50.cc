#include <boost/multiprecision/cpp_bin_float.hpp>

#include "derivation/claims/cell_trace_in.h"

namespace attest {
namespace {

using boost::multiprecision::cpp_bin_float;
using mp50 = boost::multiprecision::number<cpp_bin_float<50>, boost::multiprecision::et_off>;

}  // namespace

cell_trace<std::string> trace_in_50_digits(const problem& p, const output_cell& cell,
                                           score_divisor divisor) {
  return digits_of(trace_in<mp50>(p, cell, divisor));
}

}  // namespace attest
