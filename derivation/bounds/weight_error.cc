#include "derivation/bounds/weight_error.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "derivation/bounds/roundings.h"
#include "reference/definition/bias.h"
#include "reference/definition/normalizer.h"

namespace attest {
namespace {

using errors = std::vector<weight_error>;

// Room for the evaluation of thresholds and powers in double.
constexpr double relative_room = 0x1p-40, absolute_room = 0x1p-46;

// Of a weight that is held, and of a sum of so many of them.
double unit_of_weights(const contract& c) { return unit_of(c.exponent); }
double sum_error(const contract& c, double terms) {
  const double unit = std::max(unit_of(c.weight_sum), unit_of(c.exponent));
  return shrinkage(std::min(terms + 8, 0x1p40), std::min(unit, 0.25));
}
double quotient_error(const contract& c) { return (2 * c.division_ulps + 4) * unit_of_weights(c); }
double underflow(const contract& c) {
  return c.exponent.subnormals == subnormal_mode::flushed ? smallest_normal(*c.exponent.number)
                                                          : smallest_subnormal(*c.exponent.number);
}

// --- sparsemax and entmax: [s t - tau]_+^e ---

struct power_law {
  double slope;     // s
  double exponent;  // e

  double of(double x) const {
    if (!(x > 0)) return 0;
    if (exponent == 1) return x;
    if (exponent == 2) return x * x;
    return power_of(x, exponent);
  }
};

power_law law_of(const problem& p) {
  if (p.rules.normalised_by == normalizer::sparsemax) return {1, 1};
  if (p.rules.normalised_by == normalizer::entmax_1_5) return {0.5, 2};
  return {p.alpha - 1, 1 / (p.alpha - 1)};
}

// Of entries whose greatest need not be 0.
double threshold(std::vector<double> xs, const power_law& law) {
  const double greatest = greatest_of(xs);
  for (double& x : xs) x -= greatest;
  if (law.exponent == 1) return greatest + sparsemax_threshold(xs);
  if (law.exponent == 2) return greatest + entmax_1_5_threshold(xs);
  return greatest + threshold_of_powers(xs, law.exponent);
}

class power_weights {
 public:
  power_weights(const contract& c, const problem& p, const exact_row& row,
                std::span<const double> scores)
      : contract_(c), row_(row), law_(law_of(p)) {
    for (std::size_t n = 0; n < scores.size(); ++n) {
      const double x = -law_.slope * row.keys[n].gap;
      const double moved = law_.slope * scores[n] + 0x1p-50 * std::fabs(x);
      least_.push_back(x - moved);
      greatest_.push_back(x + moved);
    }
    const double room = absolute_room * 4;
    // The threshold grows with every entry.
    lowest_ = threshold(least_, law_) - room;
    highest_ = threshold(greatest_, law_) + room;
  }

  errors of_keys() const {
    errors all(row_.keys.size());
    const double off = threshold_error();
    double own = 0;
    for (std::size_t n = 0; n < all.size(); ++n) {
      const double a = row_.keys[n].weight;
      const double most = law_.of(greatest_[n] - lowest_), least = law_.of(least_[n] - highest_);
      if (greatest_[n] - lowest_ + off <= 0) continue;  // surely no part of the support
      const double moved = std::max({0.0, most - a, a - least});
      all[n].moved = std::min(1.0, moved + relative_room * most + absolute_room);
      all[n].own = spread(least_[n] - highest_, greatest_[n] - lowest_, off) +
                   power_error(most) * most + underflow(contract_);
      own += all[n].own;
    }
    // Some divide by the sum once more.
    const double divided =
        sum_error(contract_, static_cast<double>(all.size())) + quotient_error(contract_) + own;
    for (std::size_t n = 0; n < all.size(); ++n)
      if (all[n].moved > 0) all[n].own += divided * std::min(1.0, law_.of(greatest_[n] - lowest_));
    return all;
  }

 private:
  // What x - tau, as it is held, may be off by, for scores as they are held.
  double threshold_error() const {
    const double count = static_cast<double>(row_.keys.size());
    const double size = law_.slope * std::fabs(row_.greatest) + 2;
    const double sums = sum_error(contract_, count);
    const double held = 8 * unit_of_weights(contract_) * size;
    if (law_.exponent == 1) return held + 2 * sums * size;
    if (law_.exponent == 2) return held + 4 * sums * supported();
    return held + (sums + power_error(0x1p-20)) / law_.exponent;
  }
  double supported() const {
    return static_cast<double>(
        std::count_if(greatest_.begin(), greatest_.end(), [&](double x) { return x > lowest_; }));
  }
  // A power by way of a logarithm, relative.
  double power_error(double weight) const {
    if (law_.exponent == 1 || law_.exponent == 2) return 4 * unit_of_weights(contract_);
    const double argument = std::fabs(log_of(std::max(weight, 0x1p-200)));
    const double unit = unit_of_weights(contract_);
    return 4 * unit * (argument + law_.exponent + 2) + 4 * contract_.exp_ulps * unit;
  }
  // How far a power moves where its base, from `low` to `high`, moves by `off`: convex ones most at
  // the upper end, concave ones at the lower.
  double spread(double low, double high, double off) const {
    if (law_.exponent >= 1) return law_.of(high + off) - law_.of(high);
    const double from = std::max(0.0, low - off);
    return law_.of(from + off) - law_.of(from);
  }

  const contract& contract_;
  const exact_row& row_;
  power_law law_;
  std::vector<double> least_, greatest_;
  double lowest_ = 0, highest_ = 0;
};

// --- relu_ratio, ratio, uniform, identity ---

// The size of the terms that a weight is made of: where scores factor, sums over keys may come
// before q, and what is lost there is lost of the terms of the scores.
double terms_of(const problem& p, const exact_key& key) {
  const bool may_sum_keys_first = p.rules.scores_factor() && !has_bias(p) && p.soft_cap == 0;
  return may_sum_keys_first ? std::max(std::fabs(key.logit), key.magnitude) : std::fabs(key.logit);
}

// Of sums over keys and, after them, over coordinates.
double sum_error_of_states(const contract& c, const problem& p, double keys) {
  const double unit = std::max(
      {unit_of(c.weight_sum), unit_of(c.exponent), unit_of(c.output_sum), unit_of(c.score_sum)});
  const double terms = keys + static_cast<double>(p.dims.width) + 8;
  return shrinkage(std::min(terms, 0x1p40), std::min(unit, 0.25));
}

std::optional<errors> of_relu_ratio(const contract& c, const exact_row& row,
                                    std::span<const double> scores) {
  std::vector<double> least, most;
  double least_sum = 0, most_sum = 0;
  for (std::size_t n = 0; n < scores.size(); ++n) {
    const double error = scores[n] + 0x1p-50 * std::fabs(row.keys[n].logit);
    least.push_back(std::max(0.0, row.keys[n].logit - error));
    most.push_back(std::max(0.0, row.keys[n].logit + error));
    least_sum += least.back();
    most_sum += most.back();
  }
  const double own = sum_error(c, static_cast<double>(scores.size())) + quotient_error(c);
  if (!(least_sum > 0) || !(own < 0.5)) return std::nullopt;
  errors all(scores.size());
  for (std::size_t n = 0; n < scores.size(); ++n) {
    if (most[n] == 0) continue;
    const double a = row.keys[n].weight;
    const double upper = most[n] / (most[n] + std::max(0.0, least_sum - least[n])),
                 lower = least[n] / (least[n] + std::max(0.0, most_sum - most[n]));
    all[n] = {std::max({0.0, upper - a, a - lower}) + relative_room * upper,
              2 * own * upper + underflow(c) / std::min(1.0, least_sum)};
  }
  return all;
}

std::optional<errors> of_ratio(const contract& c, const problem& p, const exact_row& row,
                               std::span<const double> scores) {
  double sum = 0, size = 0, moved = 0;
  for (std::size_t n = 0; n < scores.size(); ++n) {
    const double t = row.keys[n].logit;
    sum += t;
    size += terms_of(p, row.keys[n]);
    moved += scores[n] + 0x1p-50 * std::fabs(t);
  }
  const double held = std::fabs(sum) - moved - 0x1p-40 * size;
  const double lost = sum_error_of_states(c, p, static_cast<double>(scores.size()));
  const double rounded = lost * (size + moved);
  if (!(held > 0) || !(2 * rounded < held)) return std::nullopt;
  const double own = 2 * rounded / held + quotient_error(c);
  errors all(scores.size());
  for (std::size_t n = 0; n < scores.size(); ++n) {
    const double a = std::fabs(row.keys[n].weight);
    const double error = scores[n] + 0x1p-50 * std::fabs(row.keys[n].logit);
    all[n].moved = (error + a * moved) / held + relative_room * a;
    all[n].own = own * (a + all[n].moved) + lost * terms_of(p, row.keys[n]) / held +
                 underflow(c) / std::min(1.0, held);
  }
  return all;
}

// Wrong scores are wrong weights, and do not sum to 0.
errors of_identity(const contract& c, const problem& p, const exact_row& row,
                   std::span<const double> scores) {
  const double lost = sum_error_of_states(c, p, static_cast<double>(scores.size()));
  errors all(scores.size());
  for (std::size_t n = 0; n < scores.size(); ++n)
    all[n].own = scores[n] + 0x1p-50 * std::fabs(row.keys[n].logit) +
                 lost * (terms_of(p, row.keys[n]) + scores[n]) + underflow(c);
  return all;
}

errors of_uniform(const contract& c, const exact_row& row) {
  const double count = static_cast<double>(row.keys.size());
  const double own = (sum_error(c, count) + quotient_error(c)) / count + underflow(c);
  return errors(row.keys.size(), weight_error{0, own});
}

}  // namespace

std::optional<std::vector<weight_error>> weight_errors(const contract& c, const problem& p,
                                                       const exact_row& row,
                                                       std::span<const double> scores) {
  if (p.rules.normalised_by == normalizer::uniform) return of_uniform(c, row);
  const bool known = std::all_of(row.keys.begin(), row.keys.end(), [](const exact_key& key) {
    return std::isfinite(key.logit) && std::isfinite(key.weight);
  });
  const bool finite =
      std::all_of(scores.begin(), scores.end(), [](double error) { return std::isfinite(error); });
  if (!known || !finite) return std::nullopt;
  if (p.rules.normalised_by == normalizer::relu_ratio) return of_relu_ratio(c, row, scores);
  if (p.rules.normalised_by == normalizer::ratio) return of_ratio(c, p, row, scores);
  if (p.rules.normalised_by == normalizer::identity) return of_identity(c, p, row, scores);
  return power_weights(c, p, row, scores).of_keys();
}

bool surely_weightless(const problem& p, const exact_row& row, std::span<const double> scores) {
  const bool relu = p.rules.normalised_by == normalizer::relu_ratio;
  for (std::size_t n = 0; n < scores.size(); ++n) {
    const double most = row.keys[n].logit + scores[n];
    if (!(relu ? most <= 0 : most == 0 && scores[n] == 0)) return false;
  }
  return true;
}

}  // namespace attest
