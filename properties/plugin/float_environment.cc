#include "properties/plugin/float_environment.h"

#include <limits>

namespace attest {
namespace {

// Three sums that only rounding to nearest gets right; volatile, so that they are computed here.
bool rounds_to_nearest() {
  const volatile float one = 1, little = 0x1p-30f;
  return one + little == 1 && -one - little == -1 && one - little == 1 &&
         std::fegetround() == FE_TONEAREST;
}

bool flushes_subnormals() {
  const volatile float least_normal = std::numeric_limits<float>::min(), half = 0.5f;
  const volatile float subnormal = std::numeric_limits<float>::denorm_min(), one = 1;
  const volatile double least_normal_double = std::numeric_limits<double>::min(), half_double = 0.5;
  return least_normal * half == 0 || subnormal * one == 0 || least_normal_double * half_double == 0;
}

bool has_full_precision() {
  const volatile long double one = 1, last = std::numeric_limits<long double>::epsilon();
  return one + last != one;
}

}  // namespace

std::uint32_t environment_changes() {
  std::uint32_t found = 0;
  if (fegetexcept() != 0) {
    found |= trapping;
    fedisableexcept(FE_ALL_EXCEPT);
  }
  if (!rounds_to_nearest()) found |= other_rounding;
  if (flushes_subnormals()) found |= flushed_subnormals;
  if (!has_full_precision()) found |= other_precision;
  return found;
}

}  // namespace attest
