#include "reference/linear/exact_linear.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/exact/interval_enclosure.h"

namespace attest {
namespace {

constexpr int first_bits = 128, last_bits = 1024;

// What nothing is known of keeps an infinite radius.
std::vector<enclosure> enclosed(const std::vector<interval>& all) {
  std::vector<enclosure> result;
  for (const interval& x : all)
    result.push_back(is_finite(x) ? enclose(x)
                                  : enclosure{0, 0, std::numeric_limits<double>::infinity()});
  return result;
}

bool is_narrow(const enclosure& x) {
  return x.radius <= std::max(0x1p-80 * std::fabs(x.high), 0x1p-1074);
}

}  // namespace

linear_answer<enclosure> exact_linear_attention(const linear_problem& p) {
  linear_answer<enclosure> found;
  for (int bits = first_bits; bits <= last_bits; bits *= 2) {
    const interval_precision scope(bits);
    const linear_answer<interval> answer = linear_attention<interval>(p);
    found = {enclosed(answer.output), enclosed(answer.state)};
    if (std::all_of(found.output.begin(), found.output.end(), is_narrow) &&
        std::all_of(found.state.begin(), found.state.end(), is_narrow))
      break;
  }
  return found;
}

}  // namespace attest
