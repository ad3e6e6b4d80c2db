#include "derivation/bounds/gradient.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/definition/bias.h"
#include "reference/definition/dropout.h"
#include "reference/elementary/elementary.h"

namespace attest {
namespace {

constexpr double raise = 1 + 1e-9;  // more than the relative error of evaluating a bound in double
constexpr double infinity = std::numeric_limits<double>::infinity();

// Of a factor of 0, too: 0 times what may be an infinity has no bound.
double weighted(double factor, double error) {
  return std::isfinite(error) ? factor * error : infinity;
}

bool leaves_room(double size, const format& f) { return size < largest_finite(f) / 2; }

}  // namespace

gradient_bound::sum gradient_bound::sum::operator+(const sum& x) const {
  sum joined = *this;
  joined.value += x.value;
  joined.uncancelled += x.uncancelled;
  joined.size += x.size;
  joined.error += x.error;
  joined.lost += x.lost;
  joined.held += x.held;
  joined.terms += x.terms;
  return joined;
}

gradient_bound::gradient_bound(const contract& c, const problem& p, const cotangents& given)
    : contract_(c),
      problem_(p),
      given_(given),
      dropout_(c, p),
      scale_(std::fabs(p.scale_or_usual())),
      heads_(static_cast<double>(p.dims.query_heads / p.dims.kv_heads)),
      q_(p.dims.q_sizes()),
      k_(p.dims.k_sizes()),
      v_(p.dims.v_sizes()),
      sink_(p.sink.size()),
      slopes_(p.slopes.size()) {
  if (p.bias) bias_ = array4<sum>(own_sizes(*p.bias));
}

bool gradient_bound::covers(const contract& c, const problem& p) {
  return p.rules.is_softmax() && p.rules.scores_by_products() && c.quantised_to == nullptr &&
         c.weight_storage.number->storage_bits > 8;
}

void gradient_bound::add(const row_index& place, const exact_row& row, const saved_error& saved) {
  if (row.empty()) return add_mean_of_values(place);
  const row_gradient terms(contract_, problem_, place, row, given_, saved);
  add_score_gradients(place, terms);
  add_values(place, terms);
  add_parameters(place, terms);
}

// --- Step 6: terms ---

// Of dq, whose factor is of k, and of dk, whose factor is of q.
gradient_bound::sum gradient_bound::score_term(double factor, const key_gradient& key) const {
  const contract& c = contract_;
  const double times = std::fabs(factor), size = std::fabs(key.score) + key.score_error;
  const double operand = underflow_of(c.output_sum) +
                         std::max(underflow_of(c.q_conversion.to), underflow_of(c.k_conversion.to));
  const double stored = underflow_of(c.weight_storage) + underflow_of(c.output_sum);
  sum term(problem_.scale_or_usual() * factor * key.score);
  term.uncancelled = scale_ * times * key.uncancelled;
  term.size = scale_ * weighted(times, size);
  term.error = scale_ * weighted(times, key.score_error);
  term.lost = dropout_.scale() * (1 + scale_) * (times * stored + operand * size);
  term.held = std::max(1.0, scale_) * dropout_.scale() * weighted(times, size);
  term.terms = 1;
  return term;
}

gradient_bound::sum gradient_bound::value_term(double d_output, const key_gradient& key) const {
  const contract& c = contract_;
  const double times = key.factor * std::fabs(d_output);
  const double operand = underflow_of(c.output_sum) + underflow_of(c.v_conversion.to);
  const double stored = 2 * underflow_of(c.weight_storage) / std::min(1.0, c.weight_of_one) +
                        underflow_of(c.output_sum);
  sum term(key.factor * d_output * key.weight);
  term.uncancelled = std::fabs(term.value);
  term.size = weighted(times, key.weight_size);
  term.error = weighted(times, key.weight_error);
  term.lost = times * stored + weighted(key.factor, operand * key.weight_size);
  term.held = term.size;
  term.terms = key.factor == 0 ? 0 : 1;
  return term;
}

// Of a bias and a sink, whose factor is 1, and of a slope, where it is the distance.
gradient_bound::sum gradient_bound::parameter_term(double factor, double value, double error,
                                                   double uncancelled) const {
  const double times = std::fabs(factor);
  sum term(factor * value);
  term.uncancelled = times * uncancelled;
  term.size = term.held = weighted(times, std::fabs(value) + error);
  term.error = weighted(times, error);
  term.lost = times * underflow_of(contract_.weight_storage);
  term.terms = 1;
  return term;
}

void gradient_bound::add_score_gradients(const row_index& place, const row_gradient& row) {
  const std::int64_t g = problem_.kv_head(place.h);
  for (const key_gradient& key : row.keys()) {
    if (key.key == sink_key) continue;
    for (std::int64_t t = 0; t < problem_.dims.width; ++t) {
      q_.add({place.b, place.h, place.i, t},
             score_term(problem_.k.at(place.b, g, key.key, t), key));
      k_.add({place.b, g, key.key, t},
             score_term(problem_.q.at(place.b, place.h, place.i, t), key));
    }
  }
}

void gradient_bound::add_values(const row_index& place, const row_gradient& row) {
  for (const key_gradient& key : row.keys()) {
    if (key.key == sink_key) continue;
    for (std::int64_t d = 0; d < problem_.dims.value_width; ++d)
      v_.add({place.b, problem_.kv_head(place.h), key.key, d}, value_term(row.cotangent(d), key));
  }
}

// Equal weights, of which dropout takes its part.
void gradient_bound::add_mean_of_values(const row_index& place) {
  if (rule_of_empty_row(problem_, place) != empty_row::mean_of_values) return;
  const contract& c = contract_;
  const double keys = static_cast<double>(problem_.dims.keys);
  const double unit = std::max(unit_of(c.weight_sum), unit_of(c.exponent));
  const double stored = c.may_normalise_weights ? store_error(c.weight_storage, c.exponent) : 0;
  key_gradient key;
  key.weight = 1 / keys;
  key.weight_error =
      both(shrinkage(keys + 2 * c.exp_ulps + 2 * c.division_ulps + 8, unit), stored) / keys;
  key.weight_size = key.weight + key.weight_error;
  for (std::int64_t j = 0; j < problem_.dims.keys; ++j) {
    key.factor = drops(problem_, place, j) ? 0 : dropout_.scale();
    for (std::int64_t d = 0; d < problem_.dims.value_width; ++d)
      v_.add({place.b, problem_.kv_head(place.h), j, d},
             value_term(given_.o.at(place.b, place.h, place.i, d), key));
  }
}

void gradient_bound::add_parameters(const row_index& place, const row_gradient& row) {
  const auto h = static_cast<std::size_t>(place.h);
  const bool capped = problem_.rules.caps_bias();
  for (const key_gradient& key : row.keys()) {
    if (key.key == sink_key) {
      sink_[h] = sink_[h] + parameter_term(1, key.logit, key.logit_error, key.uncancelled);
      continue;
    }
    if (is_capped_mask(problem_, place, key.key)) continue;
    const double value = capped ? key.score : key.logit;
    const double error = capped ? key.score_error : key.logit_error;
    if (problem_.bias)
      bias_.add(own_place(*problem_.bias, {place.b, place.h, place.i, key.key}),
                parameter_term(1, value, error, key.uncancelled));
    else if (!problem_.slopes.empty())
      slopes_[h] = slopes_[h] + parameter_term(distance_of(problem_, place, key.key), value, error,
                                               key.uncancelled);
  }
}

// --- Step 6: kappa ---

// Of each term, beside the sum. c is made in the numbers of scores and multiplied where it is put.
double gradient_bound::of_scores() const {
  const contract& c = contract_;
  const double converted = both(growth(c.q_conversion.times, unit_of(c.q_conversion.to)),
                                growth(c.k_conversion.times, unit_of(c.k_conversion.to)));
  const double stores = problem_.soft_cap > 0 ? 4 : 1;
  const double stored = both(store_error(c.weight_storage, c.exponent),
                             growth(stores, store_error(c.score_storage, c.exponent)));
  const double scaled =
      growth(4, std::max({unit_of(c.score_sum), unit_of(c.exponent), unit_of(c.output_sum)}));
  return both(both(converted, stored), scaled);
}

// A weight that is stored for dS, too, is stored once.
double gradient_bound::of_values() const {
  const contract& c = contract_;
  const double stored = c.may_normalise_weights ? 0 : store_error(c.weight_storage, c.exponent);
  return both(stored, growth(c.v_conversion.times, unit_of(c.v_conversion.to)));
}

// Each holds a term, and m levels of pairs merge no more than 2^m.
double gradient_bound::parts(double terms) const {
  constexpr double most_levels = 60;
  if (contract_.merges == 0) return 0;
  return std::min(terms, exp2_double(std::min<double>(contract_.merges, most_levels)));
}

gradient_bound::ending gradient_bound::of_sum(const sum& s, double positions, double constants,
                                              bool by_heads) const {
  const contract& c = contract_;
  const double merges = std::min<double>(c.merges, s.terms);
  const double groups = fused_groups(c, s.terms, positions, merges);
  const double added = accumulate(s.terms + merges, c.output_sum, groups).error();
  const double part = merges * store_error(c.partial_storage, c.output_sum);
  const double head = by_heads ? unit_of(*c.inputs, c.output_mode) : 0;
  const double rounded = both(both(added, constants), both(both(part, head), dropout_.rounded()));
  const double lost =
      (2 * s.terms + 4 + merges) * underflow_of(c.output_sum) +
      2 * parts(s.terms) * underflow_of(c.partial_storage) +
      (by_heads ? heads_ * underflow_of(*c.inputs, c.output_mode, c.output_subnormals) : 0);
  return {rounded, dropout_.scale() * (1 + scale_) * lost, by_heads, c.inputs};
}

gradient_bound::ending gradient_bound::of_parameter(const sum& s, const format& to) const {
  const contract& c = contract_;
  const double merges = std::min<double>(c.merges, s.terms);
  const double unit = std::max(unit_of(c.output_sum), unit_of(c.weight_sum));
  const double part = merges * store_error(c.partial_storage, c.output_sum);
  const double rounded = both(both(growth(s.terms + merges, unit), part),
                              both(store_error(c.weight_storage, c.exponent), dropout_.rounded()));
  const double lost = s.terms * (underflow_of(c.output_sum) + underflow_of(c.weight_sum)) +
                      2 * parts(s.terms) * underflow_of(c.partial_storage);
  return {rounded, dropout_.scale() * lost, false, &to};
}

// --- Ends ---

bool gradient_bound::is_held(const sum& s, const ending& how) const {
  const contract& c = contract_;
  const double most = s.held * (1 + how.rounded) + s.lost + how.lost;
  return leaves_room(most, *c.output_sum.number) &&
         (c.merges == 0 || leaves_room(most, *c.partial_storage.number)) &&
         (!how.by_heads || leaves_room(most, *how.to));
}

double gradient_bound::end(const sum& s, const ending& how) const {
  if (!std::isfinite(s.error)) return infinity;
  if (s.terms == 0) return 0;
  if (!is_held(s, how)) return infinity;
  const contract& c = contract_;
  const double unit = unit_of(*how.to, c.output_mode);
  const double evaluated = (s.terms + 8) * 0x1p-52 * s.size;
  const double before = s.error + how.rounded * s.size + s.lost + how.lost;
  return raise * ((1 + unit) * before + unit * (std::fabs(s.value) + evaluated) +
                  underflow_of(*how.to, c.output_mode, c.output_subnormals));
}

double gradient_bound::q(const index4& i) const {
  const sum& s = q_.at(i);
  const auto keys = static_cast<double>(problem_.dims.keys);
  return end(s, of_sum(s, keys, of_scores(), false));
}

double gradient_bound::k(const index4& i) const {
  const sum& s = k_.at(i);
  const double rows = heads_ * static_cast<double>(problem_.dims.queries);
  return end(s, of_sum(s, rows, of_scores(), heads_ > 1));
}

double gradient_bound::v(const index4& i) const {
  const sum& s = v_.at(i);
  const double rows = heads_ * static_cast<double>(problem_.dims.queries);
  return end(s, of_sum(s, rows, of_values(), heads_ > 1));
}

double gradient_bound::bias(const index4& i) const {
  const sum& s = bias_.at(i);
  return end(s, of_parameter(s, problem_.bias->element()));
}

double gradient_bound::slope(std::int64_t h) const {
  const sum& s = slopes_[static_cast<std::size_t>(h)];
  return end(s, of_parameter(s, *contract_.inputs));
}

double gradient_bound::sink(std::int64_t h) const {
  const sum& s = sink_[static_cast<std::size_t>(h)];
  return end(s, of_parameter(s, *contract_.inputs));
}

}  // namespace attest
