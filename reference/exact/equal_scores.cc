#include "reference/exact/equal_scores.h"

#include <algorithm>
#include <cmath>

#include "reference/definition/bias.h"
#include "reference/exact/exact_row.h"
#include "reference/multiprecision/mpfr_real.h"

namespace attest {
namespace {

using real = mpfr_real;

// A product of two doubles is a multiple of 2^-2148 below 2^2048, one of three a multiple of
// 2^-3222 below 2^3072: sums of less than 2^1000 of them are exact.
constexpr int exact_bits = 8192;
constexpr int product_bits = 106;

// Logits are equal exactly where all three are. See score_parts.
struct exact_score {
  real product, bias, apart;
};

bool operator<(const exact_score& x, const exact_score& y) {
  if (!(x.product == y.product)) return x.product < y.product;
  if (!(x.bias == y.bias)) return x.bias < y.bias;
  return x.apart < y.apart;
}

bool is_finite(const exact_score& x) {
  return is_finite(x.product) && is_finite(x.bias) && is_finite(x.apart);
}

// sqrt(D) where it is an integer, otherwise 0.
std::int64_t integer_root(std::int64_t width) {
  const auto root = static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(width))));
  return root * root == width ? root : 0;
}

// How the logits of a row are compared. With S = q.k and c the scale, a rational c lets c S + b be
// one rational number (for c = 1/k: S + k b, which is k times it); for an irrational c the pair
// (S, b) decides. So it does where a cap comes between the two.
class score_parts {
 public:
  explicit score_parts(const problem& p)
      : scale_(p.scale ? real(*p.scale) : real(1)),
        bias_factor_(p.scale || p.rules.scored_by == scorer::dot ? 1 : integer_root(p.dims.width)),
        capped_last_(p.soft_cap > 0 && p.rules.caps_bias()),
        joined_(bias_factor_ > 0 && (!(p.soft_cap > 0) || capped_last_)) {}

  exact_score of_key(const real& dot, double bias) const {
    const real product = scale_ * dot;
    if (!joined_) return {product, real(bias), real(0)};
    return {product + real(static_cast<double>(bias_factor_)) * real(bias), real(0), real(0)};
  }

  // A logit that is capped last is transcendental or 0, or -cap where the key is masked.
  exact_score of_rational(const real& x) const {
    if (capped_last_) return {real(0), real(0), x};
    if (!joined_) return {real(0), x, real(0)};
    return {real(static_cast<double>(bias_factor_)) * x, real(0), real(0)};
  }

 private:
  real scale_;  // 1 where it is 1 / sqrt(D)
  std::int64_t bias_factor_;
  bool capped_last_, joined_;
};

real exact_product(double x, double y) {
  const working_precision scope(product_bits);
  return real(x) * real(y);
}

real exact_dot(const problem& p, const row_index& row, std::int64_t j) {
  real sum(0);
  for (std::int64_t t = 0; t < p.dims.width; ++t)
    sum =
        sum + exact_product(p.q.at(row.b, row.h, row.i, t), p.k.at(row.b, p.kv_head(row.h), j, t));
  return sum;
}

exact_score score_of(const problem& p, const row_index& row, const score_parts& parts,
                     std::int64_t j) {
  if (j == sink_key) return parts.of_rational(real(p.sink[static_cast<std::size_t>(row.h)]));
  if (is_capped_mask(p, row, j)) return parts.of_rational(real(-p.soft_cap));
  const double bias = has_bias(p) ? bias_of(p, row, j) : 0;
  return parts.of_key(exact_dot(p, row, j), bias);
}

struct scored_key {
  std::int64_t key;
  exact_score score;
};

std::vector<scored_key> finite_scores(const problem& p, const row_index& row,
                                      const score_parts& parts) {
  std::vector<std::int64_t> keys = key_set(p, row);
  if (!p.sink.empty()) keys.push_back(sink_key);
  std::vector<scored_key> scored;
  for (std::int64_t j : keys) {
    scored_key next{j, score_of(p, row, parts, j)};
    if (is_finite(next.score)) scored.push_back(std::move(next));
  }
  return scored;
}

}  // namespace

struct equal_scores::state {
  score_parts parts;
  std::vector<exact_score> scores;  // of the groups, ascending
};

equal_scores::equal_scores(const problem& p, const row_index& row) {
  const working_precision scope(exact_bits);
  state found{score_parts(p), {}};
  std::vector<scored_key> scored = finite_scores(p, row, found.parts);
  std::stable_sort(scored.begin(), scored.end(),
                   [](const auto& x, const auto& y) { return x.score < y.score; });
  for (scored_key& next : scored) {
    if (groups_.empty() || found.scores.back() < next.score) {
      groups_.emplace_back();
      found.scores.push_back(std::move(next.score));
    }
    groups_.back().push_back(next.key);
  }
  state_ = std::make_shared<const state>(std::move(found));
}

std::optional<std::size_t> equal_scores::group_of(const dyadic& logit) const {
  const working_precision scope(exact_bits);
  const exact_score wanted =
      state_->parts.of_rational(dyadic_real(logit.significand, logit.exponent));
  const auto& scores = state_->scores;
  const auto found = std::lower_bound(scores.begin(), scores.end(), wanted);
  if (found == scores.end() || wanted < *found) return std::nullopt;
  return static_cast<std::size_t>(found - scores.begin());
}

}  // namespace attest
