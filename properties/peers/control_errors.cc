#include "properties/peers/control_errors.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "properties/peers/closeness.h"
#include "properties/peers/evidence.h"
#include "properties/peers/usual_problems.h"
#include "reference/backends/backend.h"

namespace attest {
namespace {

std::vector<std::string_view> controls_for(const format& inputs) {
  std::vector<std::string_view> names;
  for (std::string_view name : all_backends()) {
    const backend b = find_backend(name);
    const bool takes = std::any_of(b.inputs.begin(), b.inputs.end(),
                                   [&](const format* each) { return *each == inputs; });
    if (b.keeps != nullptr && takes) names.push_back(name);
  }
  return names;
}

// With every feature, as each control has them all. One head costs less, and errs as far as two.
std::vector<problem> calibration_problems(const format& inputs, std::uint64_t seed) {
  constexpr std::int64_t count = 8;
  subject_info every_control;
  every_control.inputs = {&inputs};
  every_control.features = feature_set::all();
  std::vector<problem> list;
  for (problem_spec spec : usual_problems(every_control, seed, count)) {
    spec.dims.query_heads = spec.dims.kv_heads = 1;
    list.push_back(materialise(spec));
  }
  return list;
}

double largest_error_of(std::string_view control, const problem& p) {
  const auto s = open_builtin(control);
  const peer_evidence e = gather_evidence(p, examiner(*s).ask(p), false);
  return largest_error(e.observed, e.expected);
}

double calibrate(const format& inputs, std::uint64_t seed) {
  const std::vector<problem> problems = calibration_problems(inputs, seed);
  const std::vector<std::string_view> controls = controls_for(inputs);
  std::vector<double> samples(controls.size() * problems.size());
  oneapi::tbb::parallel_for(std::size_t{0}, samples.size(), [&](std::size_t n) {
    samples[n] = largest_error_of(controls[n / problems.size()], problems[n % problems.size()]);
  });
  return percentile_95(samples);
}

}  // namespace

double percentile_95(std::span<const double> samples) {
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end(),
            [](double a, double b) { return a < b || (!std::isnan(a) && std::isnan(b)); });
  const auto last = static_cast<double>(sorted.size() - 1);
  return sorted[static_cast<std::size_t>(std::lround(0.95 * last))];
}

double control_errors::of(const format& inputs) {
  const auto found = known_.find(inputs.name);
  if (found != known_.end()) return found->second;
  return known_[inputs.name] = calibrate(inputs, seed_);
}

}  // namespace attest
