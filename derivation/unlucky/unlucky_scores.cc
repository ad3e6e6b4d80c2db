#include "derivation/unlucky/unlucky_scores.h"

#include <algorithm>
#include <cmath>

#include "derivation/unlucky/unlucky_operands.h"
#include "reference/definition/bias.h"
#include "reference/elementary/elementary.h"

namespace attest {
namespace {

class score_evaluation {
 public:
  score_evaluation(const row_setting& row, luck& draws)
      : row_(row),
        draws_(draws),
        sum_(row.kept.score_sum, row.plan.rounding, draws),
        storage_(row.kept.score_storage, row.plan.rounding, draws),
        bias_(row.kept.bias_sum, row.plan.rounding, draws),
        exponent_(row.kept.exponent, row.plan.rounding, draws) {
    for (std::size_t n = 0; n < row.keys(); ++n) pulls_.push_back(row.pull(n));
    q_values_ = read(row.posed.q, row.q_row());
    scale_ = scale();
    q_ = q_row();
  }

  std::vector<unlucky_logit> logits() {
    const bool base_2 = row_.plan.path == exponent_path::base_2_before;
    const real constant = base_2 ? exponent_.rounded(log2_e, pull_of_logits()) : one;
    const real folded = sum_.multiplied(scale_, constant, pull_of_logits());
    std::vector<unlucky_logit> result;
    for (std::size_t n = 0; n < row_.keys(); ++n) {
      if (folds() && !row_.is_sink(n))
        result.push_back({score(n), folded});
      else
        result.push_back({exponent_.multiplied(logit(n), constant, pulls_[n]), one});
    }
    return result;
  }

 private:
  // --- The scale ---

  bool on_operands() const {
    return row_.plan.scale == scale_place::on_q || row_.plan.scale == scale_place::on_both;
  }
  // What comes between the product and the shift keeps the scale out of it.
  bool folds() const {
    return row_.plan.scale == scale_place::in_shift && !(row_.posed.soft_cap > 0) &&
           !has_bias(row_.posed);
  }
  double sign() const { return row_.posed.scale && *row_.posed.scale < 0 ? -1 : 1; }

  // Which way longer logits take the answer: sum a pull t.
  double pull_of_logits() const {
    double sum = 0;
    for (std::size_t n = 0; n < row_.keys(); ++n)
      sum += row_.exact.keys[n].weight * pulls_[n] * row_.exact.keys[n].logit;
    return sum;
  }

  // c or, where both operands take a part of it, sqrt|c|: rounded twice or once.
  real scale() {
    const double away = pull_of_logits();
    const bool split = row_.plan.scale == scale_place::on_both;
    if (row_.posed.scale) {
      const real given{*row_.posed.scale, 0};
      return sum_.rounded(split ? root({std::fabs(given.hi), 0}) : given, away);
    }
    const real of_width = root({static_cast<double>(row_.posed.dims.width), 0});
    if (split) return sum_.rounded(root(quotient(one, of_width)), away);
    return sum_.divided(one, sum_.rounded(of_width, -away), away);
  }

  // --- Operands ---

  std::vector<double> read(const tensor& t, const index4& row) const {
    std::vector<double> values(row_.width());
    t.read(row[0], row[1], row[2], values);
    return values;
  }

  operand_row q_row() {
    std::vector<double> away(row_.width());
    for (std::size_t n = 0; n < row_.keys(); ++n) {
      if (row_.is_sink(n)) continue;
      const std::vector<double> k = read(row_.posed.k, row_.key_row(n));
      for (std::size_t t = 0; t < away.size(); ++t)
        away[t] += row_.exact.keys[n].weight * pulls_[n] * k[t] * sign();
    }
    const bool negates = row_.plan.scale == scale_place::on_both && sign() < 0;
    const way_in way{row_.kept.q_conversion,
                     !on_operands() ? one
                     : negates      ? negative(scale_)
                                    : scale_,
                     row_.quantised_size(&operand_sizes::q, row_.q_row())};
    return brought_in(row_, sum_, way, q_values_, away, draws_);
  }

  operand_row k_row(std::size_t n) {
    std::vector<double> away = q_values_;
    for (double& x : away) x *= pulls_[n] * sign();
    const way_in way{row_.kept.k_conversion, row_.plan.scale == scale_place::on_both ? scale_ : one,
                     row_.quantised_size(&operand_sizes::k, row_.key_row(n))};
    return brought_in(row_, sum_, way, read(row_.posed.k, row_.key_row(n)), away, draws_);
  }

  // --- One logit ---

  // c q.k; q.k where c is folded into the shift.
  real score(std::size_t n) {
    const operand_row k = k_row(n);
    std::vector<term> terms;
    for (std::size_t t = 0; t < k.codes.size(); ++t) terms.push_back({q_.codes[t], k.codes[t]});
    const double away = on_operands() ? pulls_[n] : pulls_[n] * sign();
    real sum = unlucky_sum(sum_, row_.plan.score_sum, terms, {0, 0}, away, draws_);
    if (row_.sizes != nullptr)
      sum = sum_.multiplied(sum, sum_.multiplied(q_.scale, k.scale, away * sum.hi), away);
    return on_operands() || folds() ? sum : sum_.multiplied(sum, scale_, pulls_[n]);
  }

  real capped(const real& score, double away) {
    if (!(row_.posed.soft_cap > 0)) return score;
    const real cap{row_.posed.soft_cap, 0};
    const real argument = sum_.divided(score, cap, away);
    const double high = tanh_double(argument.hi);
    const real exact = fast_two_sum(high, (1 - high * high) * argument.lo);
    return sum_.multiplied(cap, sum_.off_by_share(exact, row_.kept.tanh_error, away), away);
  }

  real stored(const real& score, double away) {
    return storage_.number() == sum_.number() ? score : storage_.rounded(score, away);
  }

  // To nearest, a sum is no further off than either operand is from it.
  real biased(std::size_t n, const real& score) {
    const double bias = bias_of(row_.posed, row_.place, row_.exact.keys[n].key);
    const real sum = bias_.added(score, {bias, 0}, pulls_[n]);
    if (row_.kept.bias_sum.mode != rounding_mode::nearest_even) return sum;
    const real exact = score + real{bias, 0};
    const double most = std::min(std::fabs(bias), std::fabs(score.hi));
    const double error = (sum - exact).hi;
    return std::fabs(error) > most ? exact + real{std::copysign(most, error), 0} : sum;
  }

  real logit(std::size_t n) {
    if (row_.is_sink(n)) return {row_.posed.sink[static_cast<std::size_t>(row_.place.h)], 0};
    if (is_capped_mask(row_.posed, row_.place, row_.exact.keys[n].key))
      return {-row_.posed.soft_cap, 0};
    const double away = pulls_[n];
    const real raw = score(n);
    if (!has_bias(row_.posed)) return stored(capped(raw, away), away);
    if (row_.posed.rules.caps_bias()) return capped(biased(n, stored(raw, away)), away);
    return biased(n, stored(capped(raw, away), away));
  }

  const row_setting& row_;
  luck& draws_;
  unlucky_unit sum_, storage_, bias_, exponent_;
  std::vector<double> pulls_, q_values_;
  real scale_ = one;
  operand_row q_;
};

}  // namespace

std::vector<unlucky_logit> unlucky_scores(const row_setting& row, luck& draws) {
  return score_evaluation(row, draws).logits();
}

}  // namespace attest
