#include "tests/second_opinion/widest_radius.h"

#include <algorithm>
#include <cmath>

namespace attest::second_opinion {
namespace {

double largest_of(const tensor& t) {
  double largest = 0;
  for_each_index(t.sizes(),
                 [&](const index4& i) { largest = std::max(largest, std::fabs(t.at(i))); });
  return largest;
}

}  // namespace

void widest::meet(double other, const std::string& problem_text) {
  if (!(other > part)) return;
  part = other;
  cause = problem_text;
}

void widest_radius::include(const problem& p, const certified_answer& answer,
                            const std::string& problem_text) {
  rows += static_cast<std::int64_t>(answer.lse.size());
  multiprecision_rows += answer.multiprecision_rows;
  for (const enclosure& e : answer.lse)
    if (std::isfinite(e.high)) lse.meet(e.radius / std::max(1.0, std::fabs(e.high)), problem_text);
  for (const enclosure& e : answer.weights) weight.meet(e.radius, problem_text);
  const double largest = largest_of(p.v);
  for (std::size_t n = 0; n < answer.output.size(); ++n) {
    const enclosure& o = answer.output[n];
    if (!std::isfinite(o.high)) continue;
    if (answer.magnitudes[n] > floor)
      of_magnitude.meet(o.radius / answer.magnitudes[n], problem_text);
    of_value.meet(o.radius / (largest + floor), problem_text);
  }
}

}  // namespace attest::second_opinion
