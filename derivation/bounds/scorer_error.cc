#include "derivation/bounds/scorer_error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "derivation/bounds/roundings.h"
#include "reference/definition/scorer.h"
#include "reference/elementary/elementary.h"

namespace attest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double sum_of_sizes(const std::vector<double>& xs) {
  return std::accumulate(xs.begin(), xs.end(), 0.0,
                         [](double sum, double x) { return sum + std::fabs(x); });
}

double norm(const std::vector<double>& xs) {
  double squares = 0;
  for (double x : xs) squares += x * x;
  return std::sqrt(squares);
}

double quantised_unit(const contract& c) {
  return c.quantised_to == nullptr ? 0 : unit_of({c.quantised_to}) + 2 * unit_of(c.score_sum);
}

}  // namespace

scorer_errors::scorer_errors(const contract& c, const problem& p, const row_index& place,
                             double scale, double q_quantum)
    : contract_(c),
      problem_(p),
      place_(place),
      scale_(scale),
      q_quantum_(q_quantum),
      q_(static_cast<std::size_t>(p.dims.width)),
      unit_(unit_of(c.score_sum)),
      stored_(store_error(c.score_storage, c.score_sum)) {
  p.q.read(place.b, place.h, place.i, q_);
  const double q = growth(c.q_conversion.times, unit_of(c.q_conversion.to));
  const double k = growth(c.k_conversion.times, unit_of(c.k_conversion.to));
  conversions_ = (1 + std::max(q, k)) * (1 + quantised_unit(c)) - 1;
  underflow_ = underflow_of(c.score_sum) +
               std::max(underflow_of(c.q_conversion.to), underflow_of(c.k_conversion.to)) +
               (stored_ > 0 ? underflow_of(c.score_storage) : 0);
}

double scorer_errors::parameter(std::size_t n, std::int64_t r, std::int64_t c) const {
  return problem_.parameters[n].at(0, place_.h, r, c);
}

// Relative to the sum of the sizes of its terms, each of two converted factors, and its store.
double scorer_errors::sum_error(double terms) const {
  const double groups = contract_.fused_terms == 0 ? 0 : std::min(terms, std::ceil(terms / 4) + 1);
  return (1 + accumulate(terms + 4, contract_.score_sum, groups).error()) * (1 + conversions_) *
             (1 + conversions_) * (1 + stored_) -
         1;
}

scorer_errors::layer scorer_errors::linear(std::int64_t unit, const std::vector<double>& k,
                                           double k_quantum) const {
  const bool apart = problem_.rules.scored_by == scorer::additive;
  const auto width = static_cast<std::int64_t>(q_.size());
  layer x;
  double matrix = 0, operands = 0, quantised = 0;
  for (std::int64_t t = 0; t < 2 * width; ++t) {
    const bool of_key = t >= width;
    const double w = apart && of_key ? parameter(1, unit, t - width) : parameter(0, unit, t);
    const double value =
        of_key ? k[static_cast<std::size_t>(t - width)] : q_[static_cast<std::size_t>(t)];
    x.value += w * value;
    x.size += std::fabs(w * value);
    matrix += std::fabs(w);
    operands += std::fabs(value);
    quantised += std::fabs(w) * (of_key ? k_quantum : q_quantum_);
  }
  const double b = problem_.rules.scored_by == scorer::mlp ? parameter(1, 0, unit) : 0;
  x.value += b;
  x.size += std::fabs(b);
  const double terms = 2 * static_cast<double>(width) + 2;
  x.error = sum_error(terms) * x.size + (1 + conversions_) * quantised +
            underflow_ * (2 * terms + matrix + operands) + 0x1p-50 * x.size;
  return x;
}

// The slope of tanh is 1 - tanh^2, largest where the argument may be least.
double scorer_errors::tanh_error(const layer& x) const {
  const double least = tanh_double(std::max(0.0, std::fabs(x.value) - x.error));
  const double own = contract_.tanh_error + 3 * unit_ + stored_;
  const double reached = std::fabs(tanh_double(x.value));
  const double moved = std::min(2.0, x.error * (1 - least * least));
  return moved + own * (reached + moved) + contract_.tanh_absolute_error + underflow_;
}

scorer_error scorer_errors::hidden(const std::vector<double>& k, double k_quantum) const {
  const bool is_mlp = problem_.rules.scored_by == scorer::mlp;
  const std::size_t weights = is_mlp ? 2 : problem_.parameters.size() - 1;
  const std::int64_t units = problem_.parameters[weights].sizes()[3];
  double moved = 0, size = is_mlp ? std::fabs(parameter(3, 0, 0)) : 0, matrix = 0;
  scorer_error result;
  for (std::int64_t a = 0; a < units; ++a) {
    const layer x = linear(a, k, k_quantum);
    const double w = std::fabs(parameter(weights, 0, a));
    const double error = is_mlp ? (x.value + x.error > 0 ? x.error : 0) : tanh_error(x);
    const double value = is_mlp ? std::max(0.0, x.value) : std::fabs(tanh_double(x.value));
    moved += w * error;
    size += w * (value + error);
    matrix += w;
    result.largest = std::isfinite(x.size) ? std::max(result.largest, x.size) : infinity;
  }
  const double terms = static_cast<double>(units) + 6;
  result.error = scale_ * (moved + sum_error(terms) * size + underflow_ * (2 * terms + matrix)) +
                 underflow_ * (1 + scale_);
  result.largest = std::max({result.largest, size, scale_ * size});
  return result;
}

// q.(W k) or (q W).k: two sums in a row, and the store of the first.
scorer_error scorer_errors::general(const exact_key& key, const std::vector<double>& k,
                                    double k_quantum) const {
  const double width = static_cast<double>(q_.size());
  double matrix = 0, quantised = 0, largest = 0;
  for (std::int64_t s = 0; s < problem_.dims.width; ++s)
    for (std::int64_t t = 0; t < problem_.dims.width; ++t) {
      const double w = std::fabs(parameter(0, s, t));
      const double q_size = std::fabs(q_[static_cast<std::size_t>(s)]);
      const double k_size = std::fabs(k[static_cast<std::size_t>(t)]);
      matrix += w;
      quantised += w * (q_quantum_ * k_size + k_quantum * q_size + q_quantum_ * k_quantum);
      largest = std::max(largest, w * std::max(q_size, k_size) * width);
    }
  const double relative = (1 + sum_error(width + 2)) * (1 + sum_error(width + 6)) - 1;
  const double operands = key.operands + 1;
  return {relative * key.magnitude + scale_ * (1 + relative) * quantised +
              underflow_ * (1 + scale_) * (2 * width + 8) * (operands + 1) * (matrix + 1),
          std::max({largest, key.unscaled, key.magnitude})};
}

// Norms of 2^-20 and less are taken for 0 by some, and their squares may vanish.
scorer_error scorer_errors::cosine(const std::vector<double>& k, double k_quantum) const {
  constexpr double least_norm = 0x1p-20;
  const double q_norm = norm(q_), k_norm = norm(k);
  if (q_norm == 0 || k_norm == 0) return {};
  const double width = static_cast<double>(q_.size());
  const double least = std::min(q_norm, k_norm);
  if (least < least_norm || least * least < 16 * width * underflow_) return {0, infinity};
  double products = 0;
  for (std::size_t t = 0; t < k.size(); ++t) products += std::fabs(q_[t] * k[t]);
  const double quantised = std::sqrt(width) * (q_quantum_ / q_norm + k_quantum / k_norm) +
                           width * underflow_ / (least * least) + 0x1p-30 * unit_;
  const double of_norm = sum_error(width + 8) + quantised;
  if (!(of_norm < 0.25)) return {infinity, 0};
  const double relative = (1 + sum_error(width + 12)) * (1 + quantised) * (1 + quantised) /
                              ((1 - of_norm) * (1 - of_norm)) -
                          1;
  const double share = products / (q_norm * k_norm);
  const double error = scale_ * (relative * share + 2 * quantised * (1 + relative)) +
                       underflow_ * (1 + scale_) * (width + 8) *
                           (1 + (sum_of_sizes(q_) + sum_of_sizes(k)) / (q_norm * k_norm));
  const double largest = std::max({q_norm * q_norm, k_norm * k_norm, scale_});
  return {products == 0 ? 0 : error + 0x1p-50 * scale_ * share, largest};
}

// Turned vectors may be held in the format of the output, which is that of inputs of 16 bits or
// more. Quantisation comes after the turn, which makes no coordinate more than twice as large.
scorer_error scorer_errors::rotary(const exact_key& key, const std::vector<double>& k,
                                   double k_quantum) const {
  const stage held{contract_.output};
  const double turned = (1 + growth(3, unit_)) * (1 + unit_of(held)) * (1 + conversions_);
  const double width = static_cast<double>(q_.size());
  const double relative = turned * turned * (1 + sum_error(width + 4)) - 1;
  const double operands = 2 * (sum_of_sizes(q_) + sum_of_sizes(k));
  const double quantised =
      2 * (q_quantum_ + k_quantum) * operands + 4 * width * q_quantum_ * k_quantum;
  const double lost = (underflow_ + underflow_of(held)) * (2 * width + 8) * (1 + operands);
  return {relative * key.magnitude + (1 + relative) * (scale_ * quantised + (1 + scale_) * lost),
          std::max({operands, key.unscaled, key.magnitude})};
}

// Slopes are 1 at most. Below 0, elu + 1 may be exp, or 1 more than expm1.
scorer_errors::feature scorer_errors::of_coordinate(double x, double quantum) const {
  const feature exact{feature_of<double>(problem_.rules.scored_by, x), 0};
  const bool is_elu = problem_.rules.scored_by == scorer::elu_features;
  const double of_exp =
      is_elu && x < 0 ? (2 * contract_.exp_ulps + 4) * unit_ + exp_double(contract_.exp_zero_below)
                      : 0;
  const double added = is_elu && x >= 0 ? 2 * unit_ * exact.value : 0;
  const double moved = conversions_ * std::fabs(x) + (1 + conversions_) * quantum;
  const double held = exact.value + moved + of_exp + added;
  return {exact.value, moved + of_exp + added + unit_of(stage{contract_.output}) * held +
                           underflow_ + underflow_of(stage{contract_.output})};
}

// exp of a sum of 2 D products, whose error moves it.
scorer_errors::feature scorer_errors::of_exponential(std::int64_t unit,
                                                     const std::vector<double>& x,
                                                     double quantum) const {
  double argument = 0, size = 0, quantised = 0;
  for (std::size_t t = 0; t < x.size(); ++t) {
    const double w = parameter(0, unit, static_cast<std::int64_t>(t)), square = x[t] * x[t] / 2;
    argument += w * x[t] - square;
    size += std::fabs(w * x[t]) + square;
    quantised += (std::fabs(w) + std::fabs(x[t]) + quantum) * quantum;
  }
  const double terms = 2 * static_cast<double>(x.size()) + 4;
  const double moved = sum_error(terms) * size + (1 + conversions_) * quantised +
                       underflow_ * (2 * terms + sum_of_sizes(x)) + 0x1p-50 * size;
  const double relative = expm1_double(moved) * (1 + 4 * contract_.exp_ulps * unit_) +
                          (2 * contract_.exp_ulps + 2) * unit_;
  const double value = exp_double(argument);
  const double held = value * (1 + relative);
  return {value, relative * value + unit_of(stage{contract_.output}) * held + underflow_ +
                     underflow_of(stage{contract_.output}) + exp_double(contract_.exp_zero_below)};
}

scorer_error scorer_errors::features(const std::vector<double>& k, double k_quantum) const {
  const bool exponential = problem_.rules.scored_by == scorer::exp_features;
  const std::int64_t count = exponential ? problem_.parameters[0].sizes()[2] : problem_.dims.width;
  double moved = 0, size = 0, largest = 0, sum = 0;
  for (std::int64_t n = 0; n < count; ++n) {
    const auto at = static_cast<std::size_t>(n);
    const feature q =
        exponential ? of_exponential(n, q_, q_quantum_) : of_coordinate(q_[at], q_quantum_);
    const feature key =
        exponential ? of_exponential(n, k, k_quantum) : of_coordinate(k[at], k_quantum);
    moved += q.value * key.error + key.value * q.error + q.error * key.error;
    size += (q.value + q.error) * (key.value + key.error);
    sum += q.value + key.value;
    largest = std::max({largest, q.value, key.value});
  }
  const double terms = static_cast<double>(count) + 4;
  const double error =
      scale_ * (moved + sum_error(terms) * size) + underflow_ * (1 + scale_) * (2 * terms + sum);
  return {std::isnan(error) ? infinity : error, std::max({largest, size, scale_ * size})};
}

scorer_error scorer_errors::of_key(const exact_key& key, double k_quantum) const {
  std::vector<double> k(q_.size());
  problem_.k.read(place_.b, problem_.kv_head(place_.h), key.key, k);
  switch (problem_.rules.scored_by) {
    case scorer::general:
      return general(key, k, k_quantum);
    case scorer::cosine:
      return cosine(k, k_quantum);
    case scorer::rotary_halves:
    case scorer::rotary_pairs:
      return rotary(key, k, k_quantum);
    case scorer::elu_features:
    case scorer::relu_features:
    case scorer::exp_features:
      return features(k, k_quantum);
    default:
      return hidden(k, k_quantum);
  }
}

}  // namespace attest
