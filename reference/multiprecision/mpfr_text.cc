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

std::string padded_text(mpfr_srcptr x, int count) {
  if (mpfr_zero_p(x)) return "0";
  std::string text = printed("%#.*RNg", x, count);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string size_text_above(mpfr_srcptr x) {
  const bool negative = mpfr_signbit(x) != 0;
  std::string text = printed(negative ? "%.*RDe" : "%.*RUe", x, 0);
  return negative ? text.substr(1) : text;
}

}  // namespace attest
