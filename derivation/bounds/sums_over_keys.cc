#include "derivation/bounds/sums_over_keys.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "reference/definition/scorer.h"

namespace attest {
namespace {

using vector = std::vector<double>;

// exp(w_a . x - x . x / 2)
vector exponentials(const problem& p, const row_index& row, const vector& x) {
  const double square = std::inner_product(x.begin(), x.end(), x.begin(), 0.0);
  vector all(static_cast<std::size_t>(p.parameters[0].sizes()[2]));
  for (std::size_t a = 0; a < all.size(); ++a) {
    double argument = -square / 2;
    for (std::size_t t = 0; t < x.size(); ++t)
      argument +=
          p.parameters[0].at(0, row.h, static_cast<std::int64_t>(a), static_cast<std::int64_t>(t)) *
          x[t];
    all[a] = exp_double(argument);
  }
  return all;
}

// The sizes of W k. (Who forms W q instead sums over keys of k.)
vector projected(const problem& p, const row_index& row, const vector& k) {
  vector all(k.size());
  for (std::size_t s = 0; s < k.size(); ++s) {
    all[s] = std::fabs(k[s]);
    double sum = 0;
    for (std::size_t t = 0; t < k.size(); ++t)
      sum += std::fabs(
          p.parameters[0].at(0, row.h, static_cast<std::int64_t>(s), static_cast<std::int64_t>(t)) *
          k[t]);
    all[s] = std::max(all[s], sum);
  }
  return all;
}

vector mapped(const vector& x, double (*f)(double)) {
  vector all(x.size());
  std::transform(x.begin(), x.end(), all.begin(), f);
  return all;
}

// The sizes of the entries of f(x); none where the scorer is no product.
vector entries(const problem& p, const row_index& row, const vector& x) {
  switch (p.rules.scored_by) {
    case scorer::scaled_dot:
    case scorer::dot:
      return mapped(x, [](double e) { return std::fabs(e); });
    case scorer::rotary_halves:
    case scorer::rotary_pairs:  // turned, no coordinate is more than twice as large
      return mapped(x, [](double e) { return 2 * std::fabs(e); });
    case scorer::elu_features:
      return mapped(x, [](double e) { return feature_of<double>(scorer::elu_features, e); });
    case scorer::relu_features:
      return mapped(x, [](double e) { return feature_of<double>(scorer::relu_features, e); });
    case scorer::exp_features:
      return exponentials(p, row, x);
    case scorer::general:
      return projected(p, row, x);
    case scorer::cosine:
      return {1.0};
    default:
      return {};
  }
}

bool may_sum_keys_first(normalizer n) {
  return n == normalizer::ratio || n == normalizer::identity;
}

}  // namespace

factors factors_of(const problem& p, const row_index& row, const exact_row& exact) {
  if (!may_sum_keys_first(p.rules.normalised_by)) return {};
  const double scale = std::max(1.0, exact.scale);
  vector x(static_cast<std::size_t>(p.dims.width));
  p.q.read(row.b, row.h, row.i, x);
  const vector of_q = entries(p, row, x);
  factors all{0, scale * std::accumulate(of_q.begin(), of_q.end(), 0.0)};
  for (const exact_key& key : exact.keys) {
    if (key.key == sink_key) continue;
    p.k.read(row.b, p.kv_head(row.h), key.key, x);
    for (double entry : entries(p, row, x)) all.key = std::max(all.key, scale * entry);
  }
  return all;
}

}  // namespace attest
