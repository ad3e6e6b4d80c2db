#include "tests/reference/certified/precise_answer.h"

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "reference/definition/attention.h"
#include "reference/formats/rounding.h"

namespace attest {
namespace {

namespace mp = boost::multiprecision;
using real = mp::number<mp::cpp_bin_float<2000, mp::digit_base_2>, mp::et_off>;

double round_real(const format& f, rounding_mode mode, const real& x) {
  const double high = x.convert_to<double>();
  const double low = std::isfinite(high) ? real(x - real(high)).convert_to<double>() : 0;
  return round_to(f, {.mode = mode}, high, low);
}

precise_value rounded(const format& f, const real& x) {
  const double below = round_real(f, rounding_mode::down, x);
  const double above = round_real(f, rounding_mode::up, x);
  const real midpoint = (real(below) + real(above)) / 2;
  const bool near = std::isfinite(below) && std::isfinite(above) && below < above &&
                    abs(real(x - midpoint)) <= ldexp(abs(midpoint), -1800);
  return {round_real(f, rounding_mode::nearest_even, near ? midpoint : x), near};
}

}  // namespace

std::vector<std::vector<precise_value>> round_precisely(const problem& p, const row_index& place) {
  attention_row<real> row = attention<real>(p, place);
  row.output.push_back(as_declared(p.rules, row.lse));
  std::vector<std::vector<precise_value>> answers;
  for (const format* f : all_formats) {
    answers.emplace_back();
    for (const real& x : row.output) answers.back().push_back(rounded(*f, x));
  }
  return answers;
}

}  // namespace attest
