#include "derivation/claims/agreement.h"

#include <algorithm>

#include "reference/multiprecision/mpfr100.h"
#include "reference/multiprecision/mpfr_text.h"

namespace attest {

int agreeing_digits(const std::string& a, const std::string& b) {
  const mpfr100 x(a), y(b);
  mpfr100 allowed = std::max(mpfr100(abs(x)), mpfr100(abs(y))) / 10;
  const mpfr100 apart = abs(mpfr100(x - y));
  int digits = 0;
  for (; digits < most_digits && apart <= allowed; ++digits) allowed /= 10;
  return digits;
}

std::string shared_digits(const std::string& a, const std::string& b, int most) {
  const mpfr100 x(a), y(b);
  for (int digits = most; digits > 0; --digits) {
    std::string text = significant_text(x.backend().data(), digits);
    if (text == significant_text(y.backend().data(), digits)) return text;
  }
  return "?";
}

}  // namespace attest
