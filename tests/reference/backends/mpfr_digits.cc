#include "reference/multiprecision/mpfr100.h"
#include "tests/reference/backends/digits.h"
#include "tests/reference/backends/written_row.h"

namespace attest {
namespace {

std::string text_of(const mpfr100& x, int digits) {
  char text[160];
  mpfr_snprintf(text, sizeof text, "%.*Re", digits - 1, x.backend().data());
  return text;
}

}  // namespace

std::vector<std::string> mpfr_digits(const problem& p, const row_index& place, int digits) {
  return written_row<mpfr100>(p, place, [=](const mpfr100& x) { return text_of(x, digits); });
}

}  // namespace attest
