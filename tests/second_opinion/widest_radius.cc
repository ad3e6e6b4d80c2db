#include "tests/second_opinion/widest_radius.h"

#include <algorithm>
#include <cmath>

namespace attest::second_opinion {

void widest_radius::include(const certified_answer& answer, const std::string& problem_text) {
  rows += static_cast<std::int64_t>(answer.lse.size());
  multiprecision_rows += answer.multiprecision_rows;
  for (const enclosure& e : answer.lse)
    if (std::isfinite(e.high)) lse = std::max(lse, e.radius / std::max(1.0, std::fabs(e.high)));
  for (const enclosure& e : answer.weights) weight = std::max(weight, e.radius);
  for (std::size_t n = 0; n < answer.output.size(); ++n) {
    const enclosure& o = answer.output[n];
    if (!std::isfinite(o.high)) continue;
    const double part = o.radius / (std::max(answer.magnitudes[n], std::fabs(o.high)) + floor);
    if (!(part > output)) continue;
    output = part;
    cause = problem_text;
  }
}

}  // namespace attest::second_opinion
