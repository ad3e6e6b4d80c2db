#include "reference/exact/certain_digits.h"

#include "reference/multiprecision/mpfr_real.h"
#include "reference/multiprecision/mpfr_text.h"

namespace attest {
namespace {

// Sums of three doubles are exact.
constexpr int bits = 2304;

}  // namespace

std::string certain_digits(const enclosure& x, int most) {
  const working_precision scope(bits);
  const mpfr_real centre = mpfr_real(x.high) + mpfr_real(x.low);
  const mpfr_real lower = centre - mpfr_real(x.radius), upper = centre + mpfr_real(x.radius);
  for (int count = most; count > 0; --count) {
    std::string text = significant_text(lower.get(), count);
    if (text == significant_text(upper.get(), count)) return text;
  }
  return "?";
}

}  // namespace attest
