#include "derivation/bounds/row_gradient.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "reference/definition/dropout.h"
#include "reference/elementary/elementary.h"

namespace attest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double most_exponent = 700;
constexpr double smallest_double = 0x1p-1074;
constexpr double ln_2 = 0.6931471805599454, inverse_ln_2 = 1.442695040888964;  // rounded up

// a (exp(rho) - 1) and a exp(rho), where a weight of 0 wins over an infinite factor.
double moved(double weight, double log_error) {
  if (weight == 0) return 0;
  return log_error < most_exponent ? weight * expm1_double(log_error) : infinity;
}
double raised(double weight, double log_error) { return weight + moved(weight, log_error); }

// The log of a factor 1 - x, to either side.
double log_of_loss(double x) { return x < 1 ? -log1p_double(-x) : infinity; }

bool leaves_room(double size, const stage& s) { return size < largest_finite(*s.number) / 2; }

// What a number may lose on its way into a product: it is converted, or flushed as it is read.
double lost_operand(const conversion& how, const stage& unit) {
  return underflow_of(unit) + underflow_of(how.to);
}

}  // namespace

saved_error saved_by_forward(const problem& p, const exact_row& row, const forward_bound& bound) {
  saved_error error;
  for (std::int64_t d = 0; d < p.dims.value_width; ++d) error.o.push_back(bound.output(d));
  error.lse = row.empty() ? 0 : bound.lse();
  return error;
}

saved_error saved_by_rounding(const contract& c, const exact_row& row) {
  const auto half_a_spacing = [](const format& f, const enclosure& x) {
    return unit_roundoff(f) * std::fabs(x.high) + smallest_subnormal(f) + x.radius;
  };
  saved_error error;
  for (const enclosure& o : row.output) error.o.push_back(half_a_spacing(*c.output, o));
  error.lse = std::isfinite(row.lse.high) ? half_a_spacing(*c.lse, row.lse) : 0;
  return error;
}

row_gradient::row_gradient(const contract& c, const problem& p, const row_index& place,
                           const exact_row& row, const cotangents& given, const saved_error& saved)
    : contract_(c),
      problem_(p),
      place_(place),
      row_(row),
      saved_(saved),
      forward_(c, p, place, row),
      dropout_(c, p),
      apart_(!p.sink.empty() && p.rules.sink == lse_sink::left_out) {
  read_cotangents(given);
  keys_.resize(row.keys.size());
  set_products();
  set_weights();
  set_vanished();
  set_lse_weights();
  set_mean();
  for (std::size_t n = 0; n < keys_.size(); ++n) {
    set_logit_gradient(keys_[n]);
    set_score_gradient(n, keys_[n]);
  }
  if (!forward_.in_domain() || !stages_hold()) {
    spoil();
    return;
  }
  // Zeros times weights are zeros.
  const bool gives_nothing = d_lse_ == 0 && std::all_of(d_output_.begin(), d_output_.end(),
                                                        [](double d) { return d == 0; });
  if (gives_nothing) keys_.clear();
}

void row_gradient::read_cotangents(const cotangents& given) {
  d_output_.resize(static_cast<std::size_t>(problem_.dims.value_width));
  given.o.read(place_.b, place_.h, place_.i, d_output_);
  has_d_lse_ = given.lse.has_value();
  if (!has_d_lse_) return;
  d_lse_ = given.lse->at(place_.b, place_.h, place_.i, 0);
  if (problem_.rules.base == lse_base::two) d_lse_ *= inverse_ln_2;
}

// --- Step 2: x and xi ---

double row_gradient::held_product(std::int64_t key) const {
  double size = 0;
  for (std::size_t d = 0; d < d_output_.size(); ++d)
    size += std::fabs(d_output_[d] * problem_.v.at(place_.b, problem_.kv_head(place_.h), key,
                                                   static_cast<std::int64_t>(d)));
  return dropout_.scale() * size;
}

void row_gradient::set_products() {
  for (std::size_t n = 0; n < keys_.size(); ++n) set_product(n, keys_[n]);
}

void row_gradient::set_product(std::size_t n, key_gradient& key) const {
  const contract& c = contract_;
  key.key = row_.keys[n].key;
  if (key.key == sink_key) return;
  key.held = held_product(key.key);
  if (drops(problem_, place_, key.key)) return;
  key.factor = dropout_.scale();
  double operands = 0;
  bool is_zero = true;
  for (std::size_t d = 0; d < d_output_.size(); ++d) {
    const double v = row_.value(problem_, place_, n, static_cast<std::int64_t>(d));
    key.product += d_output_[d] * v;
    key.terms += std::fabs(d_output_[d] * v);
    operands += std::fabs(d_output_[d]) + std::fabs(v);
    is_zero = is_zero && (d_output_[d] == 0 || v == 0);
  }
  if (is_zero) return;
  const double width = static_cast<double>(problem_.dims.value_width);
  const double sum =
      accumulate(width, c.score_sum, fused_groups(c, width, width, c.merges)).error();
  const double converted = growth(2 * c.v_conversion.times, unit_of(c.v_conversion.to));
  const double stored = both(store_error(c.score_storage, c.score_sum), dropout_.rounded());
  const double lost =
      2 * width * underflow_of(c.score_sum) + lost_operand(c.v_conversion, c.score_sum) * operands;
  key.product_error = both(both(sum, converted), stored) * key.terms + dropout_.scale() * lost +
                      2 * (underflow_of(c.score_storage) + underflow_of(c.exponent));
}

// --- Step 1: rho and nu ---

double row_gradient::natural(double lse) const {
  return problem_.rules.base == lse_base::two ? lse * ln_2 : lse;
}

// Of exp(t - lse), where the lse, of that size, is off by so much.
double row_gradient::from_lse(std::size_t n, double lse, double lse_error) const {
  const contract& c = contract_;
  const double unit = unit_of(c.exponent);
  const double logit = row_.keys[n].logit, off = forward_.logit(n) + lse_error;
  const double argument = growth(argument_roundings(c), unit) * (std::fabs(logit - lse) + off);
  const double folded =
      c.may_fold_scale ? growth(3, unit) * (std::fabs(logit) + forward_.logit(n)) : 0;
  const bool converts = c.may_fold_scale || problem_.rules.base == lse_base::two;
  const double converted = converts ? growth(2, unit) * (std::fabs(lse) + lse_error) : 0;
  return off + argument + folded + converted + log_of_loss(2 * c.exp_ulps * unit) + 2 * unit;
}

// Of the lse of keys and sink, made of that of the keys and of the sink.
double row_gradient::lse_of_all_error() const {
  const contract& c = contract_;
  const double keys = std::fabs(natural(row_.lse.high)),
               sink = std::fabs(problem_.sink[static_cast<std::size_t>(place_.h)]),
               all = std::fabs(row_.greatest + row_.log_mass);
  const double unit = unit_of(c.exponent);
  return growth(argument_roundings(c) + 4 + 2 * log_ulps, unit) * (keys + sink + all) +
         unit_of(c.bias_sum) * sink + log_of_loss(2 * c.exp_ulps * unit) + 4 * unit;
}

// Of maximum and sum once more: their errors as in the forward, and the division.
double row_gradient::once_more(std::size_t n) const {
  const double unit = unit_of(contract_.exponent);
  const double divided = both(2 * contract_.division_ulps * unit, unit);
  return forward_.exponent(n) + logarithm_error_ + log_of_loss(divided) + 2 * unit;
}

// In place of a weight below the doubles: 0 where what is held surely is below them, too.
double row_gradient::held_below_doubles(std::size_t n) const {
  constexpr double log_of_smallest = 745;
  const double below = row_.keys[n].gap + row_.log_mass;
  return below > keys_[n].weight_log + log_of_smallest ? 0 : smallest_double;
}

void row_gradient::set_weights() {
  const contract& c = contract_;
  const double stored =
      c.may_normalise_weights ? log_of_loss(store_error(c.weight_storage, c.exponent)) : 0;
  logarithm_error_ = forward_.log_mass();
  const bool known = std::isfinite(row_.lse.high);  // not where the sink alone is left
  const double lse = row_.greatest + row_.log_mass;
  const double lse_error = natural(saved_.lse) + (apart_ && known ? lse_of_all_error() : 0);
  for (std::size_t n = 0; n < keys_.size(); ++n) {
    if (std::isinf(row_.keys[n].gap)) continue;  // exactly 0
    keys_[n].weight_log = std::max(known ? from_lse(n, lse, lse_error) : 0, once_more(n)) + stored;
    keys_[n].weight = std::max(row_.keys[n].weight, held_below_doubles(n));
  }
}

// As in the forward; a stored weight that is used in dS may underflow there.
void row_gradient::set_vanished() {
  const contract& c = contract_;
  const double from_greatest =
      c.shift == exponent_shift::constant ? row_.greatest - c.shift_by : -c.shift_by;
  const double scale = exp_double(std::clamp(from_greatest, -most_exponent, most_exponent));
  const double mass = scale * exp_double(row_.log_mass - std::min(logarithm_error_, most_exponent));
  const double rescaled = std::max(1.0, scale) / std::min(1.0, mass);
  const bool flushes = c.exponent.subnormals == subnormal_mode::flushed;
  const double flushed = flushes ? smallest_normal(*c.exponent.number) * rescaled : 0;
  const double ulps = c.exp_ulps + c.rescale_ulps + c.division_ulps + 2 + dropout_.products();
  const double off = ulps * smallest_subnormal(*c.exponent.number) * rescaled +
                     (c.may_normalise_weights ? underflow_of(c.weight_storage) : 0);
  const double cut = exp_double(c.exp_zero_below) * rescaled;
  for (std::size_t n = 0; n < keys_.size(); ++n) {
    key_gradient& key = keys_[n];
    if (std::isinf(row_.keys[n].gap)) continue;
    const double all = raised(key.weight, key.weight_log) + smallest_double;
    const bool may_be_cut = all <= 2 * raised(cut, 2 * key.weight_log);
    key.vanished = std::min(all, flushed + (may_be_cut ? all : 0)) + off;
    key.weight_error = moved(key.weight, key.weight_log) + key.vanished;
    key.weight_size = raised(key.weight, key.weight_log) + key.vanished;
  }
}

// b and rho': of all keys the weights, but where the lse leaves out the sink.
void row_gradient::set_lse_weights() {
  constexpr double least = 0x1p-900;
  double of_keys = 0;
  for (const exact_key& key : row_.keys) of_keys += key.key == sink_key ? 0 : key.weight;
  for (std::size_t n = 0; n < keys_.size(); ++n) {
    key_gradient& key = keys_[n];
    key.lse_weight = key.weight;
    key.lse_log = key.weight_log;
    if (!apart_ || std::isinf(row_.keys[n].gap)) continue;
    if (key.key == sink_key) {
      key.lse_weight = 0;
      continue;
    }
    key.lse_weight = of_keys > least ? key.weight / of_keys : infinity;
    const double summed = forward_.exponent(n) + natural(forward_.lse());
    const double given = from_lse(n, natural(row_.lse.high), natural(saved_.lse));
    key.lse_log = std::max(given, summed + 2 * unit_of(contract_.exponent));
    if (contract_.may_normalise_weights)
      key.lse_log += log_of_loss(store_error(contract_.weight_storage, contract_.exponent));
  }
}

// --- Step 3: D and delta ---

double row_gradient::mean_from_output() const {
  const contract& c = contract_;
  const double width = static_cast<double>(d_output_.size());
  const double groups = fused_groups(c, width, width, c.merges);
  const double sum = std::max(accumulate(width, c.score_sum, groups).error(),
                              accumulate(width, c.weight_sum, 0).error());
  const double converted = growth(2 * c.v_conversion.times, unit_of(c.v_conversion.to));
  const double rounded = both(both(sum, converted), dropout_.rounded());
  const double underflow = std::max(underflow_of(c.score_sum), underflow_of(c.weight_sum));
  double error = 2 * width * underflow, terms = 0, operands = 0;
  for (std::size_t d = 0; d < d_output_.size(); ++d) {
    const double size = std::fabs(d_output_[d]), o = std::fabs(row_.output[d].high);
    if (size == 0) continue;
    error += size * saved_.o[d];
    terms += size * (o + saved_.o[d]);
    operands += size + o + saved_.o[d];
  }
  return error + rounded * terms + (underflow + underflow_of(c.v_conversion.to)) * operands +
         dropout_.scale() * underflow_of(c.exponent);
}

double row_gradient::mean_from_row() const {
  const contract& c = contract_;
  const double count = static_cast<double>(keys_.size());
  const double unit = std::max(unit_of(c.weight_sum), unit_of(c.exponent));
  const double stored = both(store_error(c.score_storage, c.exponent), dropout_.rounded());
  double error = 0, terms = 0;
  for (const key_gradient& key : keys_) {
    error += moved(key.weight, key.weight_log) * std::fabs(key.product) +
             raised(key.weight, key.weight_log) * key.product_error;
    error += key.vanished * (std::fabs(key.product) + key.product_error);
    terms += key.weight_size * (std::fabs(key.product) + key.product_error);
  }
  const double lost = underflow_of(c.weight_sum) + underflow_of(c.exponent);
  return error + both(growth(count + 2, unit), stored) * terms +
         dropout_.scale() * count * (2 * lost + underflow_of(c.score_storage));
}

void row_gradient::set_mean() {
  for (std::size_t d = 0; d < d_output_.size(); ++d) mean_ += d_output_[d] * row_.output[d].high;
  for (const key_gradient& key : keys_) mean_terms_ += key.weight * key.terms;
  mean_error_ = std::max(mean_from_output(), mean_from_row());
}

// --- Step 4: s and e ---

void row_gradient::set_logit_gradient(key_gradient& key) const {
  if (key.weight_size == 0) return;
  const contract& c = contract_;
  const double unit = unit_of(c.exponent), lse = std::fabs(d_lse_);
  const double evaluated = static_cast<double>(keys_.size() + d_output_.size() + 8) * 0x1p-52 *
                           (key.terms + mean_terms_);
  const double distance = key.product - mean_;
  const double stored = both(store_error(c.score_storage, c.exponent), dropout_.rounded());
  const double of_products = both(growth(3, unit), stored), of_lse = both(growth(5, unit), stored);
  const double products_error = key.product_error + mean_error_;
  const double products = std::fabs(key.product) + std::fabs(mean_) + products_error;
  const double lse_size = raised(key.lse_weight, key.lse_log) + key.vanished;
  key.uncancelled = key.weight * (std::fabs(key.product) + std::fabs(mean_)) + lse * key.lse_weight;
  key.logit = key.weight * distance + (lse == 0 ? 0 : d_lse_ * key.lse_weight);
  key.logit_error =
      key.weight_error * (std::fabs(distance) + evaluated) +
      key.weight_size * (products_error + of_products * products) +
      dropout_.scale() * (4 * underflow_of(c.exponent) + underflow_of(c.score_storage));
  if (lse > 0)
    key.logit_error +=
        lse * (moved(key.lse_weight, key.lse_log) + key.vanished + of_lse * lse_size);
}

// --- Step 5: r and e' ---

void row_gradient::set_score_gradient(std::size_t n, key_gradient& key) const {
  key.score = key.logit;
  key.score_error = key.logit_error;
  const double cap = problem_.soft_cap;
  if (!(cap > 0) || key.key == sink_key) return;
  if (is_capped_mask(problem_, place_, key.key)) {
    key.score = key.score_error = 0;
    return;
  }
  const exact_key& exact = row_.keys[n];
  const double capped = problem_.rules.caps_bias() ? std::fabs(exact.logit) : exact.capped;
  const double unit = unit_of(contract_.exponent);
  const double tanh = std::min(1.0, capped / cap), slope = 1 - tanh * tanh;
  const double tanh_error = forward_.logit(n) / cap + unit * tanh;
  const double slope_error = (2 * tanh + tanh_error) * tanh_error + growth(3, unit);
  key.score = slope * key.logit;
  const double error = (slope + slope_error) * key.logit_error + slope_error * std::fabs(key.logit);
  key.score_error =
      error + growth(1, unit) * (std::fabs(key.score) + error) + underflow_of(contract_.exponent);
}

// --- Where the domain ends ---

bool row_gradient::fits(const key_gradient& key) const {
  const contract& c = contract_;
  const double scale = std::max(1.0, row_.scale) * dropout_.scale();
  const double product = key.held + dropout_.scale() * key.product_error;
  const double mean = std::fabs(mean_) + mean_terms_ + mean_error_;
  const double logit = scale * (std::fabs(key.logit) + key.logit_error);
  const double sizes = key.weight_size * (product + mean);
  const double of_lse = has_d_lse_ ? raised(key.lse_weight, key.lse_log) + key.vanished : 0;
  return leaves_room(key.weight_size, c.exponent) && leaves_room(of_lse, c.exponent) &&
         leaves_room(product, c.score_sum) && leaves_room(product + mean, c.score_storage) &&
         leaves_room(mean, c.weight_sum) && leaves_room(product + mean, c.exponent) &&
         leaves_room(sizes + std::fabs(d_lse_), c.exponent) &&
         leaves_room(sizes, c.score_storage) && leaves_room(logit, c.weight_storage);
}

bool row_gradient::stages_hold() const {
  const contract& c = contract_;
  double largest = 0;
  for (std::size_t d = 0; d < d_output_.size(); ++d) {
    if (d_output_[d] == 0) continue;
    largest = std::max(largest, std::fabs(d_output_[d]));
    const double saved = std::fabs(row_.output[d].high) + saved_.o[d];
    if (!(saved < largest_finite(*c.output))) return false;
  }
  const bool narrows = largest_finite(*c.v_conversion.to.number) < largest_finite(*c.output);
  return (c.v_conversion.times == 0 || !narrows || leaves_room(largest, c.v_conversion.to)) &&
         std::all_of(keys_.begin(), keys_.end(),
                     [&](const key_gradient& key) { return fits(key); });
}

void row_gradient::spoil() {
  for (key_gradient& key : keys_)
    key.weight_error = key.weight_size = key.logit_error = key.score_error = infinity;
}

}  // namespace attest
