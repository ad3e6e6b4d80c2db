#include "derivation/bounds/forward.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "reference/elementary/elementary.h"

namespace attest {
namespace {

constexpr double log_ulps = 2;      // allowed to the logarithm of the mass
constexpr double raise = 1 + 1e-9;  // more than the relative error of evaluating a bound in double
constexpr double most_exponent = 700;
constexpr double small_exponent = 0x1p-10;  // below it, 1 - x <= e^-x and e^x <= 1 + x + x^2

// u: relative error of one rounding; doubled for a stage that does not round to nearest.
double u(const format& f, rounding_mode mode) {
  return (mode == rounding_mode::nearest_even ? 1 : 2) * unit_roundoff(f);
}
double u(const stage& s) { return u(*s.number, s.mode); }

// eta: absolute error of one rounding that underflows.
double eta(const format& f, rounding_mode mode, subnormal_mode subnormals) {
  if (subnormals == subnormal_mode::flushed) return smallest_normal(f);
  return (mode == rounding_mode::nearest_even ? 0.5 : 1) * smallest_subnormal(f);
}
double eta(const stage& s) { return eta(*s.number, s.mode, s.subnormals); }

// A store rounds only where it changes the format.
double store_error(const stage& stored, const stage& computed) {
  return *stored.number == *computed.number ? 0 : u(stored);
}

// G_k(u) = (1 + u)^k - 1, and its counterpart for a denominator, (1 - u)^-k - 1.
double growth(double k, double unit) { return expm1_double(k * log1p_double(unit)); }
double shrinkage(double k, double unit) { return expm1_double(-k * log1p_double(-unit)); }

double exponential(double x) { return exp_double(std::min(x, most_exponent)); }
double exponential_less_1(double x) { return expm1_double(std::min(x, most_exponent)); }

// a * b, where a weight of 0 wins over an infinite factor.
double weighted(double weight, double factor) { return weight == 0 ? 0 : weight * factor; }

// Half of each stage's range is left for the errors of the values themselves.
bool fits(double value, const stage& s) { return value < largest_finite(*s.number) / 2; }

}  // namespace

struct forward_bound::budget {
  double weights = 0;      // B_1: wrong weights
  double numerator = 0;    // B_N: rounding in sum p v
  double denominator = 0;  // B_D: rounding in l, or in the lse
  double vanished = 0;     // B_U: weights that underflow
  double sum() const { return weights + numerator + denominator + vanished; }
};

forward_bound::forward_bound(const contract& c, const problem& p, const row_index& place,
                             const exact_row& row)
    : contract_(c), problem_(p), place_(place), row_(row) {
  if (row.empty()) return;
  const double count = static_cast<double>(row.keys.size());
  rescalings_ = c.may_rescale ? count - 1 : 0;
  merges_ = c.merges == 0 ? 0 : std::clamp<double>(count - 1, 1, c.merges);
  terms_ = count + rescalings_ + merges_;
  set_score_errors();
  set_exponent_errors();
  set_mass();
  set_columns();
  in_domain_ = scores_fit() && sums_fit();
}

// Step 1: Delta_j, the error of a logit. product: the relative error of a scaled score.
double forward_bound::score_error(const exact_key& key, double product) const {
  const contract& c = contract_;
  if (key.key == sink_key) return u(c.bias_sum) * key.capped;
  const double unit = u(c.score_sum);
  const double width = static_cast<double>(problem_.dims.width);
  const double stored = store_error(c.score_storage, c.score_sum);
  const double cap = problem_.soft_cap > 0 ? (c.tanh_error + 3 * unit + stored) * key.capped : 0;
  const double underflow =
      eta(c.score_sum) * (width * (1 + row_.scale) + 4) +
      (eta(c.score_sum) + eta(c.input_storage)) * key.operands * (1 + row_.scale);
  const double score = product * key.magnitude + cap + underflow;
  return score + bias_error(key, score);
}

void forward_bound::set_score_errors() {
  const contract& c = contract_;
  const double product =
      (1 + growth(static_cast<double>(problem_.dims.width) + 2, u(c.score_sum))) *
          (1 + growth(2 * c.input_roundings, u(c.input_storage))) *
          (1 + store_error(c.score_storage, c.score_sum)) -
      1;
  for (const exact_key& key : row_.keys) score_errors_.push_back(score_error(key, product));
  greatest_error_ = *std::max_element(score_errors_.begin(), score_errors_.end());
}

// Rounding of score + bias, at most u of it. To nearest it is no further from the sum than either
// operand is; in another mode a tiny operand moves the other by a whole ulp.
double forward_bound::bias_error(const exact_key& key, double score_error) const {
  if (key.bias == 0) return 0;
  const stage& sum = contract_.bias_sum;
  const bool cap_last = problem_.rules.cap == cap_order::after_bias;
  const double score = (cap_last ? key.magnitude : key.capped) + score_error;
  const double rounded = u(sum) * (score + key.bias);
  return sum.mode == rounding_mode::nearest_even ? std::min({rounded, key.bias, score}) : rounded;
}

// Step 2: E_j, the error of the logarithm of an effective weight, short of what is common to the
// row. exponentials: what the exponentials of the weight and its rescalings lose.
double forward_bound::exponent_error(const exact_key& key, double score_error,
                                     double exponentials) const {
  const contract& c = contract_;
  const double unit = u(c.exponent);
  const double constants = 1 + c.exponent_constants;
  const double spread = key.gap + 2 * greatest_error_ + (c.may_use_lse ? row_.log_mass : 0);
  const double argument = constants * unit * spread;
  const double folded = c.may_fold_scale ? unit * (3 * std::fabs(key.logit) + key.gap) : 0;
  const double stored = c.may_sum_rounded_weights ? store_error(c.weight_storage, c.exponent) : 0;
  const double level = std::max(std::fabs(row_.greatest), std::fabs(key.logit)) + row_.log_mass;
  const double merge = unit * (level + constants * (key.gap + row_.log_mass) +
                               2 * log_ulps * row_.log_mass + 2 * c.exp_ulps);
  return score_error + argument + folded + exponentials + stored + merges_ * merge;
}

void forward_bound::set_exponent_errors() {
  const double unit = u(contract_.exponent);
  const double exponentials =
      (1 + rescalings_) * (-log1p_double(-2 * contract_.exp_ulps * unit) + 2 * unit);
  for (std::size_t n = 0; n < score_errors_.size(); ++n)
    errors_.push_back(exponent_error(row_.keys[n], score_errors_[n], exponentials));
}

void forward_bound::set_mass() {
  least_mass_ = most_mass_ = 0;
  for (std::size_t n = 0; n < errors_.size(); ++n) {
    const double a = row_.keys[n].weight, e = errors_[n];
    if (e < small_exponent) {
      least_mass_ += a * (1 - e);
      moved_.push_back(a * (e + e * e));
      raised_.push_back(a * (1 + e + e * e));
    } else {
      least_mass_ += a * exponential(-e);
      moved_.push_back(weighted(a, exponential_less_1(e)));
      raised_.push_back(weighted(a, exponential(e)));
    }
    most_mass_ += raised_.back();
  }
  weight_error_ = shrinkage(terms_, u(contract_.weight_sum));
}

void forward_bound::set_columns() {
  const auto width = static_cast<std::size_t>(problem_.dims.value_width);
  column_sums& s = columns_;
  for (std::vector<double>* sums : {&s.moved, &s.raised, &s.spread, &s.plain, &s.hull})
    sums->assign(width, 0);
  std::vector<double> values(width), outputs(width);
  for (std::size_t d = 0; d < width; ++d) outputs[d] = row_.output[d].high;
  for (std::size_t n = 0; n < row_.keys.size(); ++n) {
    read_values(n, values);
    for (std::size_t d = 0; d < width; ++d) {
      const double size = std::fabs(values[d]), distance = std::fabs(values[d] - outputs[d]);
      s.moved[d] += moved_[n] * distance;
      s.raised[d] += raised_[n] * size;
      s.spread[d] += distance;
      s.plain[d] += size;
      s.hull[d] = std::max(s.hull[d], distance);
    }
  }
}

// The values of the n-th key; zeros for the sink.
void forward_bound::read_values(std::size_t n, std::span<double> values) const {
  const std::int64_t key = row_.keys[n].key;
  if (key == sink_key)
    std::fill(values.begin(), values.end(), 0.0);
  else
    problem_.v.read(place_.b, problem_.kv_head(place_.h), key, values);
}

// The error of a log-sum-exp that does not cancel: f of the proof.
double forward_bound::log_sum_error() const {
  const double unit = u(contract_.exponent);
  double exponents = 0;
  for (std::size_t n = 0; n < errors_.size(); ++n)
    exponents += row_.keys[n].weight * (errors_[n] - score_errors_[n]);
  return unit * (std::fabs(row_.greatest) + row_.log_mass) + 2 * log_ulps * unit * row_.log_mass +
         2 * exponents - terms_ * log1p_double(-u(contract_.weight_sum));
}

// Steps 3 and 4.
forward_bound::budget forward_bound::first_order(std::int64_t d) const {
  const contract& c = contract_;
  const auto column = static_cast<std::size_t>(d);
  const double o = row_.output[column].high;
  const double moved = columns_.moved[column], magnitude = columns_.raised[column];
  const double stored =
      store_error(c.weight_storage, c.exponent) + (c.may_normalise_weights ? 2 * u(c.exponent) : 0);
  const double merged =
      merges_ * (store_error(c.partial_storage, c.output_sum) + 2 * u(c.output_sum));
  const double theta = (1 + stored) * (1 + growth(terms_ + 1, u(c.output_sum))) * (1 + merged) - 1;
  budget b;
  b.weights = std::min(hull(d), moved / least_mass_);
  b.numerator = theta * magnitude / least_mass_;
  const double scale = std::fabs(o) + b.weights + b.numerator;
  b.denominator =
      scale * (weight_error_ + (c.may_use_lse ? exponential_less_1(log_sum_error()) : 0));
  b.vanished = lost_weights(d);
  return b;
}

// Weights that underflow in the exponential or where they are stored, and values that are flushed.
double forward_bound::lost_weights(std::int64_t d) const {
  const contract& c = contract_;
  const double spread = columns_.spread[static_cast<std::size_t>(d)];
  const double magnitude = columns_.plain[static_cast<std::size_t>(d)];
  const double mass = exp_double(row_.log_mass) * least_mass_ * std::max(0.0, 1 - weight_error_);
  const double stored = eta(c.weight_storage) / c.weight_of_one * magnitude;
  const double exponential_lost =
      (eta(c.exponent) + exp_double(c.exp_zero_below)) * (spread + magnitude);
  const double normalised = c.may_normalise_weights ? eta(c.weight_storage) * magnitude : 0;
  const double products = terms_ * eta(c.output_sum) / mass;
  const bool inputs_flushed =
      c.output_sum.subnormals == subnormal_mode::flushed && *c.inputs == *c.output_sum.number;
  return (stored + exponential_lost) / mass + normalised + products +
         (inputs_flushed ? smallest_normal(*c.inputs) : 0);
}

// The mean of V over all keys, where that is what the semantics gives an empty row: equal weights,
// summed.
double forward_bound::empty_row_error(std::int64_t d) const {
  if (problem_.rules.on_empty_row != empty_row::mean_of_values) return 0;
  double largest = 0;
  for (std::int64_t j = 0; j < problem_.dims.keys; ++j)
    largest =
        std::max(largest, std::fabs(problem_.v.at(place_.b, problem_.kv_head(place_.h), j, d)));
  const double keys = static_cast<double>(problem_.dims.keys);
  const contract& c = contract_;
  const double sums =
      growth(4 * keys + 8, u(c.output_sum)) + 2 * u(c.weight_storage) + u(*c.output, c.output_mode);
  return raise * (sums * largest + eta(*c.output, c.output_mode, c.output_subnormals));
}

// Step 5.
double forward_bound::output(std::int64_t d) const {
  if (row_.empty()) return empty_row_error(d);
  const contract& c = contract_;
  const double error = first_order(d).sum();
  const double end =
      2 * c.division_ulps * u(c.output_sum) + u(c.output_sum) + u(*c.output, c.output_mode);
  const double o = std::fabs(row_.output[static_cast<std::size_t>(d)].high);
  return raise * (end * (o + error) + eta(*c.output, c.output_mode, c.output_subnormals) + error);
}

double forward_bound::lse() const {
  if (row_.empty()) return 0;
  const contract& c = contract_;
  const double unit = u(c.exponent);
  const double rounded = 0x1p-52 * static_cast<double>(errors_.size() + 2);  // of the two masses
  const double weights = std::max(log_double(most_mass_), -log_double(least_mass_)) + rounded;
  const double sums = -terms_ * log1p_double(-u(c.weight_sum));
  const double size = std::fabs(row_.greatest) + row_.log_mass;
  const double lost =
      static_cast<double>(errors_.size()) * (eta(c.exponent) + exp_double(c.exp_zero_below));
  const double natural =
      weights + sums + 2 * log_ulps * unit * row_.log_mass + 3 * unit * size + lost;
  const double in_base = problem_.rules.base == lse_base::two
                             ? 1.4426950408889634 * natural + 4 * unit * size
                             : natural;
  return raise * (in_base + unit_roundoff(*c.lse) * (std::fabs(row_.lse.high) + in_base) +
                  smallest_normal(*c.lse));
}

double forward_bound::hull(std::int64_t d) const {
  const auto column = static_cast<std::size_t>(d);
  if (row_.empty()) return 0;
  return raise * columns_.hull[column] + row_.output[column].radius;
}

bool forward_bound::scores_fit() const {
  const contract& c = contract_;
  return std::all_of(row_.keys.begin(), row_.keys.end(), [&](const exact_key& key) {
    return fits(std::max(key.unscaled, key.magnitude) + key.bias, c.score_sum) &&
           fits(key.magnitude + key.bias, c.score_storage) &&
           fits(key.magnitude + key.bias, c.bias_sum);
  });
}

// Whether the sums of all weights and values fit even if every weight is as large as the greatest.
bool forward_bound::sums_fit() const {
  const double largest = contract_.weight_of_one;
  const double weights = largest * static_cast<double>(row_.keys.size());
  const double values =
      columns_.plain.empty() ? 0 : *std::max_element(columns_.plain.begin(), columns_.plain.end());
  const bool surely =
      fits(weights, contract_.weight_sum) && fits(largest * values, contract_.output_sum);
  return surely || running_sums_fit();
}

// The largest sum_{t_n <= t_m} exp(t_n - t_m) size_n over m: what an accumulator may hold while t_m
// is the running maximum. Without rescaling only the last m counts.
bool forward_bound::running_sums_fit() const {
  std::vector<std::size_t> order(row_.keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return row_.keys[a].gap > row_.keys[b].gap; });
  const auto width = static_cast<std::size_t>(problem_.dims.value_width);
  std::vector<double> values(width), sums(width + 1), largest(width + 1);
  for (std::size_t n = 0; n < order.size(); ++n) {
    const double step = n == 0 ? 0 : row_.keys[order[n - 1]].gap - row_.keys[order[n]].gap;
    const double factor = exp_double(-step);
    read_values(order[n], values);
    for (std::size_t d = 0; d <= width; ++d) {
      sums[d] = (d < width ? std::fabs(values[d]) : 1) + sums[d] * factor;
      largest[d] = contract_.may_rescale ? std::max(largest[d], sums[d]) : sums[d];
    }
  }
  for (double& sum : largest) sum *= contract_.weight_of_one;
  return fits(largest[width], contract_.weight_sum) &&
         std::all_of(largest.begin(), largest.end() - 1,
                     [&](double sum) { return fits(sum, contract_.output_sum); });
}

}  // namespace attest
