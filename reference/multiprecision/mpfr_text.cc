#include "reference/multiprecision/mpfr_text.h"

namespace attest {
namespace {

std::string printed(const char* conversion, mpfr_srcptr x, int count) {
  char* text = nullptr;
  mpfr_asprintf(&text, conversion, count, x);
  std::string result = text;
  mpfr_free_str(text);
  return result;
}

}  // namespace

std::string fixed_text(mpfr_srcptr x, int count) { return printed("%.*RNf", x, count); }

std::string significant_text(mpfr_srcptr x, int count) { return printed("%.*RNg", x, count); }

}  // namespace attest
