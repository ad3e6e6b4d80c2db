// Members of the family by other algorithms than the definition's, in any number.
#pragma once

#include <vector>

#include "reference/definition/attention.h"

namespace attest {

// Michelot's projection: what is not positive leaves the set, until nothing does.
template <Number T>
std::vector<T> projected_sparsemax(const std::vector<T>& logits) {
  std::vector<bool> kept(logits.size(), true);
  T tau(0);
  for (bool changed = true; changed;) {
    changed = false;
    T sum(0), count(0);
    for (std::size_t n = 0; n < logits.size(); ++n)
      if (kept[n]) sum = sum + logits[n], count = count + T(1);
    tau = T(T(sum - T(1)) / count);
    for (std::size_t n = 0; n < logits.size(); ++n)
      if (kept[n] && logits[n] < tau) kept[n] = false, changed = true;
  }
  return positive_parts(logits, tau);
}

// Bisection of so many steps, and a division by the sum of what comes out.
template <Number T>
std::vector<T> bisected_entmax(const std::vector<T>& logits, const T& less_1, int steps) {
  const T exponent(T(1) / less_1);
  std::vector<T> scaled;
  for (const T& t : logits) scaled.push_back(T(less_1 * t));
  const T greatest = greatest_of(scaled);
  const auto parts = [&](const T& tau) {
    std::vector<T> all;
    for (const T& x : positive_parts(scaled, tau)) all.push_back(power_of(x, exponent));
    return all;
  };
  T low(greatest - T(1)), width(1);
  for (int n = 0; n < steps; ++n) {
    width = T(width / T(2));
    T sum(0);
    for (const T& x : parts(T(low + width))) sum = sum + x;
    if (!(sum < T(1))) low = T(low + width);
  }
  return shares_of(parts(low));
}

template <Number T>
std::vector<T> other_weights(const problem& p, const std::vector<T>& logits, int steps) {
  switch (p.rules.normalised_by) {
    case normalizer::sparsemax:
      return projected_sparsemax(logits);
    case normalizer::entmax_1_5:
      return bisected_entmax(logits, T(0.5), steps);
    case normalizer::alpha_entmax:
      return bisected_entmax(logits, T(T(p.alpha) - T(1)), steps);
    default:
      return weights_of(p.rules.normalised_by, p.alpha, logits);
  }
}

// Operands divided by their norms before they are multiplied.
template <Number T>
T cosine_of_normalised(const scored_pair<T>& x) {
  T q(0), k(0), sum(0);
  for (std::int64_t t = 0; t < x.width(); ++t) {
    q = q + x.q(t) * x.q(t);
    k = k + x.k(t) * x.k(t);
  }
  q = sqrt_of(q), k = sqrt_of(k);
  if (!(T(0) < q) || !(T(0) < k)) return T(0);
  for (std::int64_t t = 0; t < x.width(); ++t) sum = sum + T(x.q(t) / q) * T(x.k(t) / k);
  return sum;
}

// (q W) . k
template <Number T>
T product_from_the_left(const scored_pair<T>& x) {
  T sum(0);
  for (std::int64_t t = x.width() - 1; t >= 0; --t) {
    T projected(0);
    for (std::int64_t s = x.width() - 1; s >= 0; --s)
      projected = projected + x.q(s) * x.parameter(0, s, t);
    sum = sum + projected * x.k(t);
  }
  return sum;
}

// By the angle between the positions: cos(i - j) and sin(i - j) of what the tables hold.
template <Number T>
T product_by_distance(const scored_pair<T>& x) {
  const std::int64_t pairs = x.p.parameters[0].sizes()[3];
  const std::int64_t i = x.row.i + position_offset(x.p, x.row.b);
  T sum(0);
  for (std::int64_t t = x.width() - 1; t >= 2 * pairs; --t) sum = sum + x.q(t) * x.k(t);
  for (std::int64_t t = pairs - 1; t >= 0; --t) {
    const auto [a, b] = pair_of(x.p.rules.scored_by, t, pairs);
    const T ci = x.parameter(0, i, t), si = x.parameter(1, i, t);
    const T cj = x.parameter(0, x.j, t), sj = x.parameter(1, x.j, t);
    sum = sum + T(x.q(a) * x.k(a) + x.q(b) * x.k(b)) * T(ci * cj + si * sj);
    sum = sum + T(x.q(a) * x.k(b) - x.q(b) * x.k(a)) * T(si * cj - ci * sj);
  }
  return sum;
}

template <Number T>
T other_score(const scored_pair<T>& x) {
  if (x.p.rules.scored_by == scorer::cosine) return cosine_of_normalised(x);
  if (x.p.rules.scored_by == scorer::general) return product_from_the_left(x);
  if (x.p.rules.is_rotary()) return product_by_distance(x);
  return unscaled_score(x);
}

// Coordinate t of what linear attention makes of q or k.
template <Number T>
T factor_of(const scored_pair<T>& x, bool of_query, std::int64_t t) {
  const T raw = of_query ? x.q(t) : x.k(t);
  if (x.p.rules.scores_by_products()) return raw;
  return feature_of<T>(x.p.rules.scored_by, of_query
                                                ? x.p.q.at(x.row.b, x.row.h, x.row.i, t)
                                                : x.p.k.at(x.row.b, x.p.kv_head(x.row.h), x.j, t));
}

// Whether a row may be formed from sums over keys.
inline bool has_states(const problem& p) {
  const bool plain = p.rules.scores_factor() && p.rules.scored_by != scorer::exp_features;
  return plain && p.rules.normalised_by == normalizer::identity && !has_bias(p) && p.soft_cap == 0;
}

// q times the sums over keys of products of a key's coordinate and a value.
template <Number T>
std::vector<T> row_of_states(const problem& p, const row_index& place,
                             const std::vector<std::int64_t>& keys) {
  const auto width = static_cast<std::size_t>(p.dims.value_width);
  std::vector<T> output(width, T(0));
  for (std::int64_t t = 0; t < p.dims.width; ++t) {
    std::vector<T> state(width, T(0));
    for (const std::int64_t j : keys) {
      const T of_key = factor_of(scored_pair<T>{p, place, j}, false, t);
      for (std::size_t d = 0; d < width; ++d)
        state[d] = state[d] +
                   of_key * T(p.v.at(place.b, p.kv_head(place.h), j, static_cast<std::int64_t>(d)));
    }
    const T of_query = factor_of(scored_pair<T>{p, place, 0}, true, t);
    for (std::size_t d = 0; d < width; ++d) output[d] = output[d] + of_query * state[d];
  }
  const T c = scale_of<T>(p);
  for (T& o : output) o = T(c * o);
  return output;
}

// A row with keys, without a sink. The sum of products is divided by the sum of weights at the end
// where these are shares.
template <Number T>
std::vector<T> other_row(const problem& p, const row_index& place, int steps) {
  attention_row<T> row;
  row.keys = key_set(p, place);
  if (has_states(p)) return row_of_states<T>(p, place, row.keys);
  const T c = scale_of<T>(p);
  for (std::int64_t j : row.keys)
    row.scores.push_back(
        capped_and_biased(p, place, j, T(c * other_score(scored_pair<T>{p, place, j}))));
  const bool divides_last = p.rules.normalised_by == normalizer::ratio;
  row.weights = divides_last ? row.scores : other_weights(p, row.scores, steps);
  if (row.weights.empty()) return empty_row_output<T>(p, place);
  std::vector<T> output = weighted_values(p, place, row);
  if (!divides_last) return output;
  T sum(0);
  for (const T& t : row.scores) sum = sum + t;
  for (T& o : output) o = T(o / sum);
  return output;
}

}  // namespace attest
