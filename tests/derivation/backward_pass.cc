#include "tests/derivation/backward_pass.h"

#include <algorithm>
#include <cmath>

#include "reference/backends/answer.h"
#include "reference/definition/bias.h"
#include "reference/elementary/elementary.h"
#include "reference/formats/spacing.h"

namespace attest {
namespace {

double sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

// Error: below 2^-52, relative.
real exponential_of(const real& x, bool base_2) {
  const double high = base_2 ? exp2_double(x.hi) : exp_double(x.hi);
  return fast_two_sum(high, high * (base_2 ? x.lo * ln_2.hi : x.lo));
}

struct units {
  units(const contract& c, const rounding_habit& habit, luck& draws)
      : score(c.score_sum, habit, draws),
        stored_score(c.score_storage, habit, draws),
        bias(c.bias_sum, habit, draws),
        exponent(c.exponent, habit, draws),
        stored_weight(c.weight_storage, habit, draws),
        output(c.output_sum, habit, draws),
        weight_sum(c.weight_sum, habit, draws),
        part(c.partial_storage, habit, draws),
        q(c.q_conversion.to, habit, draws),
        k(c.k_conversion.to, habit, draws),
        v(c.v_conversion.to, habit, draws),
        gradient({c.inputs, c.output_mode, c.output_subnormals}, habit, draws) {}

  unlucky_unit score, stored_score, bias, exponent, stored_weight, output, weight_sum, part, q, k,
      v, gradient;
};

// Stored in another format; the same number where there is none.
real stored(unlucky_unit& to, const unlucky_unit& from, const real& x, double away) {
  return to.number() == from.number() ? x : to.rounded(x, away);
}

real converted(unlucky_unit& unit, const conversion& how, const real& x, double away) {
  return how.times == 0 ? x : unit.rounded(x, away);
}

struct key_pass {
  std::int64_t key = 0;
  real logit{0, 0};
  real capped{0, 0};   // what the slope of the cap is taken of
  real product{0, 0};  // dp
  real weight{0, 0};
  real lse_weight{0, 0};
  real d_logit{0, 0}, d_score{0, 0};  // as they meet other numbers
  real met_weight{0, 0};              // likewise
};

// The numbers of one pass over all rows.
struct pass_state {
  const backward_input& in;
  const backward_plan& plan;
  luck draws;
  units unit;
  real scale{0, 0};          // c
  real dropout_scale = one;  // s

  pass_state(const backward_input& input, const backward_plan& made)
      : in(input), plan(made), draws(made.seed), unit(input.kept, made.rounding, draws) {
    const problem& p = in.p;
    const double width = static_cast<double>(p.dims.width);
    if (p.scale)
      scale = unit.score.rounded({*p.scale, 0}, 0);
    else if (p.rules.divides_by_root_of_width())
      scale = unit.score.divided(one, unit.score.rounded(root({width, 0}), 0), 0);
    else
      scale = one;
    if (p.dropout_mask)
      dropout_scale = is_power_of_two(p.dropout_scale)
                          ? real{p.dropout_scale, 0}
                          : unit.exponent.rounded({p.dropout_scale, 0}, 0);
  }

  // s x. By a power of two a product is exact.
  real scaled_by_dropout(unlucky_unit& by, const real& x, double away) {
    if (is_power_of_two(dropout_scale.hi)) return product(x, dropout_scale);
    return by.multiplied(x, dropout_scale, away);
  }
  double scale_sign() const { return sign_of(scale.hi); }
  // Of dS: where dlse is added, numbers have their scale.
  bool is_dropout_late() const { return plan.late_dropout && !in.given.lse; }
  std::int64_t column() const {
    const auto width =
        static_cast<std::uint64_t>(plan.at == aimed::v ? in.p.dims.value_width : in.p.dims.width);
    return static_cast<std::int64_t>(plan.column % width);
  }
};

class row_pass {
 public:
  row_pass(pass_state& state, const row_index& place, const exact_row& exact,
           const saved_error& saved)
      : s_(state), p_(state.in.p), place_(place), exact_(exact), saved_(saved) {
    for (const exact_key& key : exact.keys) {
      keys_.emplace_back();
      keys_.back().key = key.key;
    }
    for (std::int64_t d = 0; d < p_.dims.value_width; ++d)
      d_output_.push_back(s_.in.given.o.at(place.b, place.h, place.i, d));
    set_exact_products();
    for (std::size_t n = 0; n < keys_.size(); ++n) set_logit(n);
    set_weights();
    for (std::size_t n = 0; n < keys_.size(); ++n) set_product(n);
    set_mean();
    for (std::size_t n = 0; n < keys_.size(); ++n) set_gradients(n);
  }

  const std::vector<key_pass>& keys() const { return keys_; }

 private:
  bool is_sink(std::size_t n) const { return keys_[n].key == sink_key; }
  bool is_dropped(std::size_t n) const { return !is_sink(n) && drops(p_, place_, keys_[n].key); }
  bool vanishes(std::size_t n) const { return std::isinf(exact_.keys[n].gap); }

  // --- What is unlucky ---

  double k_at(std::size_t n, std::int64_t t) const {
    return is_sink(n) ? 0 : p_.k.at(place_.b, p_.kv_head(place_.h), keys_[n].key, t);
  }
  // The derivative of the aimed at gradient by dS of key n.
  double by_logit(std::size_t n) const {
    if (s_.plan.at == aimed::v) return 0;
    const double factor = s_.plan.at == aimed::q
                              ? k_at(n, s_.column())
                              : p_.q.at(place_.b, place_.h, place_.i, s_.column());
    return s_.plan.side * s_.scale.hi * factor;
  }
  double by_weight(std::size_t n) const {
    if (s_.plan.at == aimed::v)
      return s_.plan.side * d_output_[static_cast<std::size_t>(s_.column())];
    return by_logit(n) * exact_distance(n);
  }
  double exact_distance(std::size_t n) const { return exact_products_[n] - exact_mean_; }
  std::size_t aimed_key() const { return s_.plan.key % keys_.size(); }
  // The derivative by what is common to the weights of the row.
  double by_all_weights() const {
    if (s_.plan.at != aimed::q) return by_weight(aimed_key());
    double sum = 0;
    for (std::size_t n = 0; n < keys_.size(); ++n) sum += exact_.keys[n].weight * by_weight(n);
    return sum;
  }
  double by_mean() const {
    if (s_.plan.at == aimed::k) return -by_logit(aimed_key());
    double sum = 0;
    for (std::size_t n = 0; n < keys_.size(); ++n) sum -= exact_.keys[n].weight * by_logit(n);
    return sum;
  }

  void set_exact_products() {
    for (std::size_t n = 0; n < keys_.size(); ++n) {
      double x = 0;
      for (std::size_t d = 0; d < d_output_.size(); ++d)
        x += d_output_[d] * exact_.value(p_, place_, n, static_cast<std::int64_t>(d));
      exact_products_.push_back(x);
      exact_mean_ += exact_.keys[n].weight * x;
    }
  }

  // --- Scores ---

  real q_operand(std::int64_t t, double away) {
    const real q{p_.q.at(place_.b, place_.h, place_.i, t), 0};
    if (s_.plan.scale == backward_plan::scaled::q)
      return s_.unit.q.rounded(product(q, s_.scale), away);
    return converted(s_.unit.q, s_.in.kept.q_conversion, q, away);
  }

  real raw_score(std::size_t n) {
    const double away = by_weight(n);
    std::vector<term> terms;
    for (std::int64_t t = 0; t < p_.dims.width; ++t) {
      const real k{k_at(n, t), 0};
      terms.push_back({q_operand(t, away * k.hi),
                       converted(s_.unit.k, s_.in.kept.k_conversion, k, away * k.hi)});
    }
    const bool on_q = s_.plan.scale == backward_plan::scaled::q;
    const real sum = unlucky_sum(s_.unit.score, s_.plan.products, terms, {0, 0},
                                 on_q ? away : away * s_.scale_sign(), s_.draws);
    return on_q ? sum : s_.unit.score.multiplied(sum, s_.scale, away);
  }

  real capped(const real& score, double away) {
    if (!(p_.soft_cap > 0)) return score;
    const real cap{p_.soft_cap, 0};
    const real share = s_.unit.score.divided(score, cap, away);
    const real tanh =
        s_.unit.score.off_by_share({tanh_double(share.hi), 0}, s_.in.kept.tanh_error * 0.75, away);
    return s_.unit.score.multiplied(tanh, cap, away);
  }

  // To nearest, a sum is no further off than either operand is from it.
  real biased(std::size_t n, const real& score, double away) {
    if (!has_bias(p_)) return score;
    const double bias = bias_of(p_, place_, keys_[n].key);
    const real sum = s_.unit.bias.added(score, {bias, 0}, away);
    if (s_.in.kept.bias_sum.mode != rounding_mode::nearest_even) return sum;
    const real exact = score + real{bias, 0};
    const double most = std::min(std::fabs(bias), std::fabs(score.hi));
    const double error = (sum - exact).hi;
    return std::fabs(error) > most ? exact + real{std::copysign(most, error), 0} : sum;
  }

  void set_logit(std::size_t n) {
    key_pass& key = keys_[n];
    const double away = by_weight(n);
    if (vanishes(n)) return;
    if (is_sink(n)) {
      key.logit = s_.unit.bias.rounded({p_.sink[static_cast<std::size_t>(place_.h)], 0}, away);
    } else if (is_capped_mask(p_, place_, key.key)) {
      key.logit = {-p_.soft_cap, 0};
    } else if (has_bias(p_) && p_.rules.caps_bias()) {
      const real raw = stored(s_.unit.stored_score, s_.unit.score, raw_score(n), away);
      key.logit = key.capped = capped(biased(n, raw, away), away);
    } else {
      key.capped = stored(s_.unit.stored_score, s_.unit.score, capped(raw_score(n), away), away);
      key.logit = biased(n, key.capped, away);
    }
  }

  // --- Weights ---

  // exp(t - level)
  real exponential(const real& logit, const real& level, double away) {
    unlucky_unit& unit = s_.unit.exponent;
    const exponent_path path = s_.plan.path;
    if (path == exponent_path::base_2_before) {
      const real constant = unit.rounded(log2_e, 0);
      const real difference = unit.added(unit.multiplied(logit, constant, away),
                                         negative(unit.multiplied(level, constant, -away)), away);
      return unit.off_by_ulps(exponential_of(difference, true), s_.in.kept.exp_ulps * 0.99, away);
    }
    real argument = unit.added(logit, negative(level), away);
    const bool base_2 = path == exponent_path::base_2_after;
    if (base_2)
      argument = unit.multiplied(argument, unit.rounded(log2_e, away * argument.hi), away);
    return unit.off_by_ulps(exponential_of(argument, base_2), s_.in.kept.exp_ulps * 0.99, away);
  }

  // The lse that is given, in base e.
  real given_lse() {
    const enclosure& lse = exact_.lse;
    real given{0, 0};
    const double away = -by_all_weights();
    if (s_.plan.saved_by_forward) {
      given = real{lse.high, lse.low} + real{sign_of(away) * saved_.lse * 0.999, 0};
    } else {
      given = {round_to(*s_.in.kept.lse, {}, lse.high, lse.low), 0};
    }
    if (p_.rules.base == lse_base::e) return given;
    if (s_.plan.path == exponent_path::base_2_before) return product(given, ln_2);  // used as it is
    return s_.unit.exponent.multiplied(given, s_.unit.exponent.rounded(ln_2, away * given.hi),
                                       away);
  }

  bool lse_leaves_out_sink() const {
    return !p_.sink.empty() && p_.rules.sink == lse_sink::left_out;
  }

  // The lse of keys and sink, of that of the keys.
  real with_sink(const real& lse) {
    unlucky_unit& unit = s_.unit.exponent;
    const double away = -by_all_weights();
    const real sink = s_.unit.bias.rounded({p_.sink[static_cast<std::size_t>(place_.h)], 0}, away);
    const real greatest = lse < sink ? sink : lse;
    const real sum =
        unit.added(exponential(lse, greatest, away), exponential(sink, greatest, away), away);
    const real log{log_double(sum.hi), sum.lo / sum.hi};
    return unit.added(greatest, unit.off_by_ulps(log, 1.9, away), away);
  }

  void set_weights() {
    const bool known = std::isfinite(exact_.lse.high);
    const bool apart = lse_leaves_out_sink();
    if (s_.plan.once_more || !known) {
      weigh_once_more(keys_.size(), &key_pass::weight);
      if (apart && keys_.size() > 1) weigh_once_more(keys_.size() - 1, &key_pass::lse_weight);
    } else {
      const real lse = given_lse();
      weigh_from(lse, apart ? keys_.size() - 1 : keys_.size(), &key_pass::lse_weight);
      weigh_from(apart ? with_sink(lse) : lse, keys_.size(), &key_pass::weight);
    }
    for (std::size_t n = 0; n < keys_.size(); ++n) {
      if (!apart) keys_[n].lse_weight = keys_[n].weight;
      if (s_.plan.stores_weights)
        keys_[n].weight =
            stored(s_.unit.stored_weight, s_.unit.exponent, keys_[n].weight, by_weight(n));
    }
  }

  void weigh_from(const real& lse, std::size_t count, real key_pass::*to) {
    for (std::size_t n = 0; n < count; ++n)
      if (!vanishes(n)) keys_[n].*to = exponential(keys_[n].logit, lse, by_weight(n));
  }

  void weigh_once_more(std::size_t count, real key_pass::*to) {
    real greatest = keys_[0].logit;
    bool found = false;
    for (std::size_t n = 0; n < count; ++n)
      if (!vanishes(n) && (!found || greatest < keys_[n].logit))
        greatest = keys_[n].logit, found = true;
    std::vector<term> terms;
    for (std::size_t n = 0; n < count; ++n) {
      if (!vanishes(n)) keys_[n].*to = exponential(keys_[n].logit, greatest, by_weight(n));
      terms.push_back({keys_[n].*to, one});
    }
    const summation in_order;
    const real sum =
        unlucky_sum(s_.unit.weight_sum, in_order, terms, {0, 0}, -by_all_weights(), s_.draws);
    for (std::size_t n = 0; n < count; ++n)
      keys_[n].*to = s_.unit.exponent.divided(keys_[n].*to, sum, by_weight(n));
  }

  // --- dp and D ---

  void set_product(std::size_t n) {
    if (is_sink(n) || is_dropped(n)) return;
    const double away = by_logit(n);
    std::vector<term> terms;
    for (std::size_t d = 0; d < d_output_.size(); ++d) {
      const real g{d_output_[d], 0};
      const real v{
          p_.v.at(place_.b, p_.kv_head(place_.h), keys_[n].key, static_cast<std::int64_t>(d)), 0};
      const double to = away * g.hi * v.hi;
      terms.push_back({converted(s_.unit.v, s_.in.kept.v_conversion, g, to * sign_of(g.hi)),
                       converted(s_.unit.v, s_.in.kept.v_conversion, v, to * sign_of(v.hi))});
    }
    real x = unlucky_sum(s_.unit.score, s_.plan.products, terms, {0, 0}, away, s_.draws);
    if (!late_dropout()) x = s_.scaled_by_dropout(s_.unit.exponent, x, away);
    keys_[n].product = stored(s_.unit.stored_score, s_.unit.score, x, away);
  }

  bool late_dropout() const { return s_.is_dropout_late() && !is_one(s_.dropout_scale); }

  void set_mean() {
    const double away = by_mean();
    std::vector<term> terms;
    if (s_.plan.mean_of_row) {
      for (const key_pass& key : keys_) terms.push_back({key.weight, key.product});
      mean_ = unlucky_sum(s_.unit.weight_sum, {}, terms, {0, 0}, away, s_.draws);
      return;
    }
    for (std::size_t d = 0; d < d_output_.size(); ++d) {
      const enclosure& exact = exact_.output[d];
      real o{round_to(*s_.in.kept.output, {}, exact.high, exact.low), 0};
      if (s_.plan.saved_by_forward)
        o = real{exact.high, exact.low} +
            real{sign_of(away * d_output_[d]) * saved_.o[d] * 0.999, 0};
      terms.push_back({{d_output_[d], 0}, o});
    }
    mean_ = unlucky_sum(s_.unit.score, s_.plan.products, terms, {0, 0}, away, s_.draws);
    if (late_dropout())
      mean_ = s_.unit.exponent.multiplied(
          mean_, s_.unit.exponent.divided(one, s_.dropout_scale, away * mean_.hi), away);
  }

  // --- dS ---

  real d_lse() const {
    if (!s_.in.given.lse) return {0, 0};
    const real given{s_.in.given.lse->at(place_.b, place_.h, place_.i, 0), 0};
    return p_.rules.base == lse_base::two ? product(given, log2_e) : given;
  }

  real d_logit(std::size_t n) {
    const key_pass& key = keys_[n];
    unlucky_unit& unit = s_.unit.exponent;
    const double away = by_logit(n);
    const real lse = is_sink(n) && lse_leaves_out_sink() ? real{0, 0}
                     : p_.rules.base == lse_base::two    ? unit.rounded(d_lse(), away)
                                                         : d_lse();
    const bool joins = !s_.plan.expanded && !lse_leaves_out_sink();
    real of_weights{0, 0};
    if (s_.plan.expanded) {
      real first = unit.multiplied(key.weight, key.product, away);
      first = stored(s_.unit.stored_score, unit, first, away);
      of_weights = unit.added(first, negative(unit.multiplied(key.weight, mean_, -away)), away);
    } else {
      real distance = unit.added(key.product, negative(mean_), away);
      if (joins) distance = unit.added(distance, lse, away);
      of_weights = unit.multiplied(key.weight, distance, away);
    }
    if (joins) return of_weights;
    return unit.added(of_weights, unit.multiplied(key.lse_weight, lse, away), away);
  }

  real slope(std::size_t n, double away) {
    if (!(p_.soft_cap > 0) || is_sink(n)) return one;
    unlucky_unit& unit = s_.unit.exponent;
    const real tanh = unit.divided(keys_[n].capped, {p_.soft_cap, 0}, -away * keys_[n].capped.hi);
    return unit.added(one, negative(unit.multiplied(tanh, tanh, -away)), away);
  }

  // With c or without. Where scores are stored, c meets a stored dS and their product is stored.
  real stored_score_gradient(const real& d, double away) {
    unlucky_unit& unit = s_.unit.exponent;
    if (s_.plan.scale != backward_plan::scaled::logits)
      return stored(s_.unit.stored_weight, unit, d, away);
    const double before = away * s_.scale_sign();
    if (s_.unit.stored_score.number() == unit.number())
      return stored(s_.unit.stored_weight, unit, unit.multiplied(d, s_.scale, away), away);
    const real held = stored(s_.unit.stored_weight, unit, d, before);
    return s_.unit.stored_score.rounded(unit.multiplied(held, s_.scale, away), away);
  }

  void set_gradients(std::size_t n) {
    key_pass& key = keys_[n];
    if (vanishes(n)) return;
    unlucky_unit& unit = s_.unit.exponent;
    const double away = by_logit(n);
    const real d = d_logit(n);
    const real score = unit.multiplied(d, slope(n, away * d.hi), away);
    key.d_logit = stored(s_.unit.stored_weight, unit, d, away);
    key.d_score = stored_score_gradient(score, away);
    if (!is_sink(n) && is_capped_mask(p_, place_, key.key)) key.d_score = {0, 0};
    if (is_sink(n) || is_dropped(n)) return;
    const double to = by_weight(n);
    real met = key.weight;
    if (!s_.plan.late_dropout) met = s_.scaled_by_dropout(unit, met, to);
    // What is stored already is stored as it is.
    const bool is_stored =
        s_.plan.stores_weights && (s_.plan.late_dropout || is_power_of_two(s_.dropout_scale.hi));
    key.met_weight = is_stored ? met : stored(s_.unit.stored_weight, unit, met, to);
  }

  pass_state& s_;
  const problem& p_;
  row_index place_;
  const exact_row& exact_;
  const saved_error& saved_;
  std::vector<double> d_output_, exact_products_;
  double exact_mean_ = 0;
  real mean_{0, 0};
  std::vector<key_pass> keys_;
};

// All rows, then the sums over them.
class backward_pass {
 public:
  backward_pass(const backward_input& in, const backward_plan& plan)
      : s_(in, plan), p_(in.p), result_(no_gradient<double>(in.p)) {
    std::size_t n = 0;
    for_each_row(p_.dims, [&](const row_index& place) {
      places_.push_back(place);
      const exact_row& exact = in.rows[n];
      rows_.push_back(exact.empty() ? std::vector<key_pass>()
                                    : row_pass(s_, place, exact, in.saved[n]).keys());
      if (exact.empty()) add_mean(place);
      ++n;
    });
  }

  attention_gradient<double> result() {
    set_q();
    set_of_keys();
    set_parameters();
    return std::move(result_);
  }

 private:
  // As a row of equal weights; for dv alone.
  void add_mean(const row_index& place) {
    if (rule_of_empty_row(p_, place) != empty_row::mean_of_values) return;
    const double keys = static_cast<double>(p_.dims.keys);
    for (std::int64_t j = 0; j < p_.dims.keys; ++j) {
      key_pass key;
      key.key = j;
      real share = s_.unit.exponent.rounded(quotient(one, {keys, 0}), 0);
      if (drops(p_, place, j)) share = {0, 0};
      if (!s_.plan.late_dropout) share = s_.scaled_by_dropout(s_.unit.exponent, share, 0);
      key.met_weight = stored(s_.unit.stored_weight, s_.unit.exponent, share, 0);
      rows_.back().push_back(key);
    }
  }

  // In parts, each stored.
  real summed(const std::vector<term>& terms, double away) {
    const auto count = static_cast<std::int64_t>(terms.size());
    const std::int64_t parts =
        std::clamp<std::int64_t>(s_.plan.parts, 1, std::max<std::int64_t>(1, count));
    const std::span<const term> all(terms);
    real sum{0, 0};
    for (std::int64_t n = 0; n < parts; ++n) {
      const auto first = static_cast<std::size_t>(n * count / parts),
                 last = static_cast<std::size_t>((n + 1) * count / parts);
      real part = unlucky_sum(s_.unit.output, s_.plan.sums, all.subspan(first, last - first),
                              {0, 0}, away, s_.draws);
      if (parts > 1) part = stored(s_.unit.part, s_.unit.output, part, away);
      sum = s_.unit.output.added(sum, part, away);
    }
    return sum;
  }

  // By c and s, where they are still to come.
  real finished(real sum, bool by_scale, bool by_dropout, double away) {
    if (by_scale) sum = s_.unit.output.multiplied(sum, s_.scale, away);
    if (by_dropout && !is_one(s_.dropout_scale))
      sum = s_.scaled_by_dropout(s_.unit.output, sum, away);
    return sum;
  }
  double answer(const real& sum, double away) { return s_.unit.gradient.rounded(sum, away).hi; }

  void set_q() {
    const double side = s_.plan.side;
    for (std::size_t n = 0; n < rows_.size(); ++n)
      for (std::int64_t t = 0; t < p_.dims.width; ++t) {
        std::vector<term> terms;
        for (const key_pass& key : rows_[n]) {
          if (key.key == sink_key) continue;
          const real k{p_.k.at(places_[n].b, p_.kv_head(places_[n].h), key.key, t), 0};
          terms.push_back({key.d_score, converted(s_.unit.k, s_.in.kept.k_conversion, k,
                                                  side * key.d_score.hi * s_.scale_sign())});
        }
        const bool scaled = s_.plan.scale != backward_plan::scaled::logits;
        const real sum = summed(terms, scaled ? side * s_.scale_sign() : side);
        result_.scored.q.set({places_[n].b, places_[n].h, places_[n].i, t},
                             answer(finished(sum, scaled, s_.is_dropout_late(), side), side));
      }
  }

  // Sums over the rows that see a key, of all heads of a group or head by head.
  template <class Terms>
  double over_rows(std::int64_t b, std::int64_t g, bool scaled, bool of_scores, Terms terms_of) {
    const double side = s_.plan.side;
    const double away = scaled ? side * s_.scale_sign() : side;
    std::vector<std::vector<term>> heads;
    const bool is_late = of_scores ? s_.is_dropout_late() : s_.plan.late_dropout;
    for (std::int64_t h = 0; h < p_.dims.query_heads; ++h) {
      if (p_.kv_head(h) != g) continue;
      if (heads.empty() || s_.plan.heads_apart) heads.emplace_back();
      for (std::size_t n = 0; n < rows_.size(); ++n) {
        if (places_[n].b != b || places_[n].h != h) continue;
        for (const key_pass& key : rows_[n])
          if (key.key != sink_key) terms_of(n, key, heads.back());
      }
    }
    std::vector<term> parts;
    for (const std::vector<term>& head : heads) {
      real sum = finished(summed(head, away), scaled, is_late, side);
      if (s_.plan.heads_apart && heads.size() > 1) sum = s_.unit.gradient.rounded(sum, side);
      parts.push_back({sum, one});
    }
    return answer(unlucky_sum(s_.unit.output, {}, parts, {0, 0}, side, s_.draws), side);
  }

  void set_of_keys() {
    const auto& c = s_.in.kept;
    const bool on_sums = s_.plan.scale == backward_plan::scaled::sums;
    for (std::int64_t b = 0; b < p_.dims.batch; ++b)
      for (std::int64_t g = 0; g < p_.dims.kv_heads; ++g)
        for (std::int64_t j = 0; j < p_.dims.keys; ++j) {
          for (std::int64_t t = 0; t < p_.dims.width; ++t)
            result_.scored.k.set(
                {b, g, j, t},
                over_rows(b, g, on_sums, true,
                          [&](std::size_t n, const key_pass& key, std::vector<term>& terms) {
                            if (key.key != j) return;
                            const row_index& at = places_[n];
                            const real q{p_.q.at(at.b, at.h, at.i, t), 0};
                            const double away = s_.plan.side * key.d_score.hi * s_.scale_sign();
                            terms.push_back(
                                {key.d_score, s_.plan.scale == backward_plan::scaled::q
                                                  ? s_.unit.q.rounded(product(q, s_.scale), away)
                                                  : converted(s_.unit.q, c.q_conversion, q, away)});
                          }));
          for (std::int64_t d = 0; d < p_.dims.value_width; ++d)
            result_.v.set(
                {b, g, j, d},
                over_rows(b, g, false, false,
                          [&](std::size_t n, const key_pass& key, std::vector<term>& terms) {
                            if (key.key != j) return;
                            const row_index& at = places_[n];
                            const real g_d{s_.in.given.o.at(at.b, at.h, at.i, d), 0};
                            terms.push_back({key.met_weight, converted(s_.unit.v, c.v_conversion,
                                                                       g_d, s_.plan.side)});
                          }));
        }
  }

  void set_parameters() {
    if (!gives_parameters(s_.plan)) return;
    for (std::size_t n = 0; n < rows_.size(); ++n)
      for (const key_pass& key : rows_[n]) {
        if (key.key == sink_key) {
          double& sink = result_.sink[static_cast<std::size_t>(places_[n].h)];
          sink = s_.unit.output.added({sink, 0}, key.d_logit, s_.plan.side).hi;
        } else if (p_.bias && !is_capped_mask(p_, places_[n], key.key)) {
          const index4 at =
              own_place(*p_.bias, {places_[n].b, places_[n].h, places_[n].i, key.key});
          const real d = p_.rules.caps_bias() ? key.d_score : key.d_logit;
          result_.bias.set(at, s_.unit.output.added({result_.bias.at(at), 0}, d, s_.plan.side).hi);
        } else if (!p_.slopes.empty() && !is_capped_mask(p_, places_[n], key.key)) {
          double& slope = result_.slopes[static_cast<std::size_t>(places_[n].h)];
          const real d = p_.rules.caps_bias() ? key.d_score : key.d_logit;
          const real distance{distance_of(p_, places_[n], key.key), 0};
          slope = s_.unit.output
                      .added({slope, 0}, s_.unit.output.multiplied(d, distance, s_.plan.side),
                             s_.plan.side)
                      .hi;
        }
      }
  }

  pass_state s_;
  const problem& p_;
  attention_gradient<double> result_;
  std::vector<row_index> places_;
  std::vector<std::vector<key_pass>> rows_;
};

summation draw_sum(const contract& c, luck& draws) {
  summation how;
  how.shape = draws.among(
      std::array<sum_shape, 3>{sum_shape::in_order, sum_shape::reversed, sum_shape::tree});
  how.multiply_add = draws.one_in(2);
  if (c.fused_terms >= 4 && draws.one_in(2)) {
    how.shape = sum_shape::fused;
    how.group = static_cast<std::size_t>(c.fused_terms);
  }
  return how;
}

}  // namespace

backward_plan draw_backward_plan(const contract& c, std::uint64_t seed) {
  luck draws(seed);
  backward_plan plan;
  plan.seed = seed;
  plan.rounding.push = draws.one_in(2) ? pressure::away : static_cast<pressure>(draws.below(5));
  plan.rounding.flushes = draws.one_in(2);
  plan.at = static_cast<aimed>(draws.below(3));
  plan.side = draws.one_in(2) ? 1 : -1;
  plan.column = draws.bits();
  plan.key = draws.bits();
  plan.saved_by_forward = draws.one_in(2);
  plan.once_more = draws.one_in(2);
  plan.mean_of_row = draws.one_in(2);
  plan.expanded = draws.one_in(2);
  plan.stores_weights = draws.perhaps(c.may_normalise_weights);
  plan.late_dropout = draws.one_in(3);
  plan.heads_apart = draws.one_in(2);
  plan.scale = static_cast<backward_plan::scaled>(draws.below(3));
  if (plan.scale == backward_plan::scaled::q && c.q_conversion.times == 0)
    plan.scale = backward_plan::scaled::sums;
  if (draws.perhaps(c.exponent_constants > 0))
    plan.path = draws.perhaps(c.may_fold_scale) ? exponent_path::base_2_before
                                                : exponent_path::base_2_after;
  plan.parts = c.merges > 0 ? 1 + draws.below(std::min(c.merges + 1, 4)) : 1;
  plan.products = draw_sum(c, draws);
  plan.sums = draw_sum(c, draws);
  return plan;
}

bool gives_parameters(const backward_plan& plan) {
  return !plan.late_dropout && plan.scale != backward_plan::scaled::logits;
}

attention_gradient<double> unlucky_backward(const backward_input& in, const backward_plan& plan) {
  return backward_pass(in, plan).result();
}

}  // namespace attest
