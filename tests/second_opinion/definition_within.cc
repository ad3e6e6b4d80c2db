#include "tests/second_opinion/definition_within.h"

#include <algorithm>
#include <cmath>

#include "reference/backends/answer.h"
#include "tests/reference/backends/digits.h"
#include "tests/second_opinion/ball.h"

namespace attest::second_opinion {

// Rounding 168 and 334 bits some hundred times, with room.
const defining_number fifty_digits{mp50_digits, 60, 0x1p-150};
const defining_number hundred_digits{mp100_digits, 110, 0x1p-310};

namespace {

constexpr long precision = 512;

double largest_of(const tensor& t) {
  double largest = 0;
  for_each_index(t.sizes(), [&](const index4& i) {
    const double x = std::fabs(t.at(i));
    if (std::isfinite(x)) largest = std::max(largest, x);
  });
  return largest;
}

// What no score, nor any number on the way to it, exceeds.
double score_bound(const problem& p) {
  const double scale = p.scale ? std::fabs(*p.scale) : 1;
  double bound = 1 + scale * static_cast<double>(p.dims.width) * largest_of(p.q) * largest_of(p.k);
  if (p.bias) bound += largest_of(*p.bias);
  if (p.rules.cap == cap_order::after_mask) bound += p.soft_cap;
  for (double sink : p.sink) bound += std::fabs(sink);
  return bound;
}

ball read(const std::string& text) {
  ball x;
  arb_set_str(x.get(), text.c_str(), precision);
  return x;
}

// |x - (high + low)| <= radius + slack, as far as anyone can tell.
bool within(const ball& x, const enclosure& e, double slack) {
  ball off(x), most(e.radius);
  for (double part : {e.high, e.low}) arb_sub(off.get(), off.get(), ball(part).get(), precision);
  arb_abs(off.get(), off.get());
  arb_add(most.get(), most.get(), ball(slack).get(), precision);
  return !arb_gt(off.get(), most.get());
}

ball in_declared_base(const semantics& rules, ball lse) {
  ball ln2;
  arb_const_log2(ln2.get(), precision);
  if (rules.base == lse_base::two) arb_div(lse.get(), lse.get(), ln2.get(), precision);
  return lse;
}

// Classes are the second opinion's affair; the definition's rows are compared where they are
// numbers.
std::optional<std::string> row_escapes(const problem& p, const certified_answer& answer,
                                       const std::vector<std::string>& row, std::size_t n,
                                       double own_error) {
  const std::size_t width = row.size() - 1;
  const enclosure& lse = answer.lse[n];
  if (std::isfinite(lse.high) &&
      !within(in_declared_base(p.rules, read(row[width])), lse, 2 * own_error))
    return "lse of row " + std::to_string(n) + " is " + row[width];
  for (std::size_t d = 0; d < width; ++d) {
    const enclosure& o = answer.output[n * width + d];
    const double slack = own_error * std::max(answer.magnitudes[n * width + d], std::fabs(o.high));
    if (std::isfinite(o.high) && !within(read(row[d]), o, slack))
      return "o of row " + std::to_string(n) + ", column " + std::to_string(d) + " is " + row[d];
  }
  return {};
}

}  // namespace

std::optional<std::string> escapes(const problem& p, const certified_answer& answer,
                                   const defining_number& number, std::size_t step) {
  const double own_error = number.own_error * score_bound(p);
  std::optional<std::string> found;
  std::size_t n = 0;
  for_each_row(p.dims, [&](const row_index& place) {
    if (n % step == 0 && !found)
      found = row_escapes(p, answer, number.row(p, place, number.digits), n, own_error);
    ++n;
  });
  return found;
}

}  // namespace attest::second_opinion
