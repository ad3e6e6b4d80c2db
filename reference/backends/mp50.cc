// 50 decimal digits in Boost's own arithmetic.
#include <boost/multiprecision/cpp_bin_float.hpp>

#include "reference/backends/defined.h"
#include "reference/backends/numbers.h"

namespace attest {
namespace {

using boost::multiprecision::cpp_bin_float;
using mp50 = boost::multiprecision::number<cpp_bin_float<50>, boost::multiprecision::et_off>;

}  // namespace

void evaluate_mp50(const backend&, const problem& p, tensor& o, tensor* lse) {
  evaluate_defined<mp50>(p, o, lse);
}

}  // namespace attest
