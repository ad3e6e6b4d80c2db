#include "reference/exact/decimal_row.h"

#include <cmath>
#include <utility>

#include "reference/definition/attention.h"
#include "reference/exact/exact_row.h"
#include "reference/exact/member_row.h"
#include "reference/multiprecision/interval.h"
#include "reference/multiprecision/mpfr_text.h"
#include "reference/text.h"

namespace attest {
namespace {

constexpr mpfr_prec_t first_bits = 512, last_bits = 4096;

// The outputs, then the lse.
using enclosures = std::vector<interval>;

enclosures evaluate(const problem& p, const row_index& place) {
  row_enclosure row = enclose_row(p, place);
  enclosures all = std::move(row.output);
  all.push_back(as_declared(p.rules, row.lse));
  return all;
}

// More precision helps neither what is not finite nor, as a rule, what is 0.
bool settled(const enclosures& all, int digits) {
  for (const interval& x : all)
    if (is_finite(x) && certain_significant(x, digits).empty()) return false;
  return true;
}

enclosures settle(const problem& p, const row_index& place, int digits) {
  for (mpfr_prec_t bits = first_bits;; bits *= 2) {
    const interval_precision scope(bits);
    enclosures all = evaluate(p, place);
    if (bits == last_bits || settled(all, digits)) return all;
  }
}

std::string zero_within(const interval& x) {
  const bool left = mpfr_cmpabs(x.lower(), x.upper()) > 0;
  return "0+-" + size_text_above(left ? x.lower() : x.upper());
}

std::string decimal(const interval& x, int digits) {
  for (int count = digits; count > 0; --count)
    if (std::string text = certain_significant(x, count); !text.empty()) return text;
  return contains(x, 0.0) && is_finite(x) ? zero_within(x) : "?";
}

// Where an interval says nothing, the row may hold a NaN or infinity by rule.
std::string decimal(const interval& x, const enclosure& known, int digits) {
  if (is_finite(x) || std::isfinite(known.high)) return decimal(x, digits);
  return std::isnan(known.high) ? "nan" : to_text(known.high);
}

}  // namespace

decimal_row compute_decimal_row(const problem& p, const row_index& place, int digits) {
  const enclosures all = settle(p, place, digits);
  const exact_row known = compute_exact_row(p, place);
  decimal_row row;
  for (std::size_t d = 0; d < known.output.size(); ++d)
    row.output.push_back(decimal(all[d], known.output[d], digits));
  row.lse = decimal(all.back(), known.lse, digits);
  return row;
}

}  // namespace attest
