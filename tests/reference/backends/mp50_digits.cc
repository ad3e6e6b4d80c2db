#include <boost/multiprecision/cpp_bin_float.hpp>

#include "tests/reference/backends/digits.h"
#include "tests/reference/backends/written_row.h"

namespace attest {
namespace {

using boost::multiprecision::cpp_bin_float;
using mp50 = boost::multiprecision::number<cpp_bin_float<50>, boost::multiprecision::et_off>;

}  // namespace

std::vector<std::string> mp50_digits(const problem& p, const row_index& place, int digits) {
  return written_row<mp50>(
      p, place, [=](const mp50& x) { return x.str(digits - 1, std::ios_base::scientific); });
}

}  // namespace attest
