#include "reference/exact/score_size.h"

#include <cmath>

#include "reference/definition/scorer.h"

namespace attest {
namespace {

// The sizes of what a row's scores are made of.
class sizes_of_pair {
 public:
  sizes_of_pair(const problem& p, const row_index& row, std::int64_t key)
      : p_(p), row_(row), key_(key) {}

  double q(std::int64_t t) const { return std::fabs(p_.q.at(row_.b, row_.h, row_.i, t)); }
  double k(std::int64_t t) const { return std::fabs(p_.k.at(row_.b, p_.kv_head(row_.h), key_, t)); }
  double joined(std::int64_t t) const { return t < p_.dims.width ? q(t) : k(t - p_.dims.width); }
  double parameter(std::size_t n, std::int64_t r, std::int64_t c) const {
    return std::fabs(p_.parameters[n].at(0, row_.h, r, c));
  }

  double product() const {
    double sum = 0;
    for (std::int64_t t = 0; t < p_.dims.width; ++t) sum += q(t) * k(t);
    return sum;
  }
  double general() const {
    double sum = 0;
    for (std::int64_t s = 0; s < p_.dims.width; ++s)
      for (std::int64_t t = 0; t < p_.dims.width; ++t) sum += q(s) * parameter(0, s, t) * k(t);
    return sum;
  }
  double of_bounded_units() const {
    const std::size_t weights = p_.parameters.size() - 1;
    double sum = 0;
    for (std::int64_t a = 0; a < p_.parameters[weights].sizes()[3]; ++a)
      sum += parameter(weights, 0, a);
    return sum;
  }
  double of_turned() const {
    const std::int64_t pairs = p_.parameters[0].sizes()[3];
    const std::int64_t of_q = row_.i + position_offset(p_, row_.b);
    double sum = 0;
    for (std::int64_t t = 0; t < pairs; ++t) {
      const auto [a, b] = pair_of(p_.rules.scored_by, t, pairs);
      const double q_cos = parameter(0, of_q, t), q_sin = parameter(1, of_q, t);
      const double k_cos = parameter(0, key_, t), k_sin = parameter(1, key_, t);
      sum += (q(a) * q_cos + q(b) * q_sin) * (k(a) * k_cos + k(b) * k_sin) +
             (q(b) * q_cos + q(a) * q_sin) * (k(b) * k_cos + k(a) * k_sin);
    }
    for (std::int64_t t = 2 * pairs; t < p_.dims.width; ++t) sum += q(t) * k(t);
    return sum;
  }
  double of_features() const {
    const scorer s = p_.rules.scored_by;
    double sum = 0;
    for (std::int64_t t = 0; t < p_.dims.width; ++t)
      sum += feature_of<double>(s, p_.q.at(row_.b, row_.h, row_.i, t)) *
             feature_of<double>(s, p_.k.at(row_.b, p_.kv_head(row_.h), key_, t));
    return sum;
  }
  double of_exp_features() const {
    return product_of_exp_features(scored_pair<double>{p_, row_, key_}) * (1 + 0x1p-20);
  }
  double of_hidden_layer() const {
    double sum = parameter(3, 0, 0);
    for (std::int64_t a = 0; a < p_.parameters[2].sizes()[3]; ++a) {
      double unit = parameter(1, 0, a);
      for (std::int64_t t = 0; t < 2 * p_.dims.width; ++t) unit += parameter(0, a, t) * joined(t);
      sum += parameter(2, 0, a) * unit;
    }
    return sum;
  }

 private:
  const problem& p_;
  const row_index& row_;
  std::int64_t key_;
};

double terms_of(const problem& p, const sizes_of_pair& x) {
  switch (p.rules.scored_by) {
    case scorer::general:
      return x.general();
    case scorer::additive:
    case scorer::concat:
      return x.of_bounded_units();
    case scorer::cosine:
      return x.product() > 0 ? 1 : 0;
    case scorer::mlp:
      return x.of_hidden_layer();
    case scorer::rotary_halves:
    case scorer::rotary_pairs:
      return x.of_turned();
    case scorer::elu_features:
    case scorer::relu_features:
      return x.of_features();
    case scorer::exp_features:
      return x.of_exp_features();
    default:
      return x.product();
  }
}

}  // namespace

score_size size_of_score(const problem& p, const row_index& row, std::int64_t key) {
  const sizes_of_pair x(p, row, key);
  score_size size{terms_of(p, x), 0};
  for (std::int64_t t = 0; t < p.dims.width; ++t) size.operands += x.q(t) + x.k(t);
  const double raise = 1 + static_cast<double>(4 * p.dims.width + 16) * 0x1p-50;
  size.terms *= raise;
  size.operands *= raise;
  return size;
}

score_size size_of_product(const problem& p, const row_index& row, std::int64_t key) {
  score_size size;
  for (std::int64_t t = 0; t < p.dims.width; ++t) {
    const double q = std::fabs(p.q.at(row.b, row.h, row.i, t));
    const double k = std::fabs(p.k.at(row.b, p.kv_head(row.h), key, t));
    size.terms += q * k;
    size.operands += q + k;
  }
  const double raise = 1 + static_cast<double>(2 * p.dims.width + 4) * 0x1p-52;
  size.terms *= raise;
  size.operands *= raise;
  return size;
}

}  // namespace attest
