#include "tests/reference/exact/bin_float_row.h"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>

#include "reference/definition/attention.h"

namespace attest {
namespace {

using real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>,
                                           boost::multiprecision::et_off>;

// What this evaluation itself may be off by, of the numbers that go into the result.
constexpr double own_error = 1e-90;

bool same_special(double enclosed, const real& x) {
  return std::isnan(enclosed) ? isnan(x) : x == real(enclosed);
}

bool lies_within(const enclosure& e, const real& x, double size) {
  if (!std::isfinite(e.high)) return same_special(e.high, x);
  const real off = abs(real(x - real(e.high)) - real(e.low));
  return off <= real(e.radius) + real(own_error * size);
}

double largest_value(const problem& p, const row_index& place) {
  double largest = 1;
  for (std::int64_t j = 0; j < p.dims.keys; ++j)
    for (std::int64_t d = 0; d < p.dims.value_width; ++d) {
      const double v = std::fabs(p.v.at(place.b, p.kv_head(place.h), j, d));
      if (v > largest) largest = v;
    }
  return largest;
}

}  // namespace

std::string disagreement_with_bin_float(const problem& p, const row_index& place,
                                        const exact_row& exact) {
  const attention_row<real> row = attention<real>(p, place);
  if (!lies_within(exact.lse, as_declared(p.rules, row.lse), 1e6))
    return "lse is " + row.lse.str(40);
  const double size = largest_value(p, place);
  for (std::size_t d = 0; d < row.output.size(); ++d)
    if (!lies_within(exact.output[d], row.output[d], size))
      return "o[" + std::to_string(d) + "] is " + row.output[d].str(40);
  return "";
}

std::string disagreement_with_bin_float(const problem& p, const row_index& place,
                                        std::span<const enclosure> weights) {
  const attention_row<real> row = attention<real>(p, place);
  std::vector<real> due(static_cast<std::size_t>(p.dims.keys), real(0));
  for (std::size_t n = 0; n < row.keys.size(); ++n)
    due[static_cast<std::size_t>(row.keys[n])] = row.weights[n];
  for (std::size_t j = 0; j < due.size(); ++j)
    if (!lies_within(weights[j], due[j], 1))
      return "weight " + std::to_string(j) + " is " + due[j].str(40);
  return "";
}

}  // namespace attest
