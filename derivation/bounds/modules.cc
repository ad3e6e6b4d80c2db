#include "derivation/bounds/modules.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "derivation/bounds/forward.h"
#include "derivation/bounds/roundings.h"
#include "reference/exact/interval_enclosure.h"
#include "reference/exact/logit_row.h"

namespace attest {
namespace {

constexpr double raise = 1 + 1e-9;  // more than the relative error of evaluating a bound in double
constexpr double infinity = std::numeric_limits<double>::infinity();

// A projection's numbers: as they are to a double, and what they may be off by, that included.
struct projection {
  tensor values, errors;
};

class bounded_module {
 public:
  bounded_module(const contract& c, const attention_module& m)
      : contract_(c), module_(m), exact_(m), posed_(posed_problem()) {}

  std::vector<module_element> all() const {
    std::vector<module_element> list;
    for (std::int64_t b = 0; b < posed_.dims.batch; ++b)
      for (std::int64_t t = 0; t < posed_.dims.queries; ++t) add_position(b, t, list);
    return list;
  }

 private:
  // --- Projections ---

  problem posed_problem() {
    problem p;
    p.dims = module_.dims();
    p.causal = module_.causal ? causal_anchor::top_left : causal_anchor::none;
    p.scale = module_.scale;
    q_ = projected(module_.w_q, module_.b_q, contract_.q_conversion,
                   [&](const index4& i) { return exact_.q(i[0], i[1], i[2], i[3]); });
    k_ = projected(module_.w_k, module_.b_k, contract_.k_conversion,
                   [&](const index4& i) { return exact_.k(i[0], i[1], i[2], i[3]); });
    v_ = projected(module_.w_v, module_.b_v, contract_.v_conversion,
                   [&](const index4& i) { return exact_.v(i[0], i[1], i[2], i[3]); });
    p.q = q_.values, p.k = k_.values, p.v = v_.values;
    return p;
  }

  template <class Value>
  projection projected(const tensor& w, const std::optional<tensor>& bias, const conversion& how,
                       Value value) {
    const index4 sizes{module_.x.sizes()[0], w.sizes()[1], module_.x.sizes()[2], w.sizes()[3]};
    projection result{tensor(f64, place(layout::bhld, sizes), 0),
                      tensor(f64, place(layout::bhld, sizes), 0)};
    for_each_index(sizes, [&](const index4& i) {
      double size = bias ? std::fabs(bias->at(0, i[1], 0, i[3])) : 0, operands = 0;
      for (std::int64_t c = 0; c < w.sizes()[2]; ++c) {
        const double x = module_.x.at(i[0], 0, i[2], c), weight = w.at(0, i[1], c, i[3]);
        size += std::fabs(x * weight);
        operands += std::fabs(x) + std::fabs(weight);
      }
      const double exact = middle(value(i));
      in_domain_ = in_domain_ && size < largest_finite(*contract_.output) / 2;
      result.values.set(i, exact);
      result.errors.set(i, sum_error(static_cast<double>(w.sizes()[2]), size, operands, how) +
                               0x1p-52 * std::fabs(exact));
    });
    return result;
  }

  // Of a sum of so many products and a bias, stored in the format of the output.
  double sum_error(double terms, double size, double operands, const conversion& how) const {
    const contract& c = contract_;
    const double groups = c.fused_terms == 0 ? 0 : std::min(terms, std::ceil(terms / 4) + 1);
    const double sum = std::max(accumulate(terms + 2, c.score_sum, groups).error(),
                                accumulate(terms + 2, c.output_sum, groups).error());
    const double converted = 1 + growth(how.times, unit_of(how.to));
    const stage store{c.output};
    const double relative = (1 + sum) * converted * converted * (1 + unit_of(store)) - 1;
    const double lost = underflow_of(c.score_sum) + underflow_of(c.output_sum);
    return raise * (relative * size + lost * (2 * terms + 2) +
                    how.times * underflow_of(how.to) * (operands + terms) + underflow_of(store));
  }

  // --- Heads ---

  // What errors of q and k move a score by, and by how much more its own roundings may count.
  struct moved_score {
    double error = 0;
    double growth = 1;
  };

  moved_score moved(const row_index& place, std::int64_t j) const {
    const std::int64_t g = posed_.kv_head(place.h);
    double error = 0, size = 0;
    for (std::int64_t d = 0; d < posed_.dims.width; ++d) {
      const double q = std::fabs(q_.values.at(place.b, place.h, place.i, d)),
                   e_q = q_.errors.at(place.b, place.h, place.i, d),
                   k = std::fabs(k_.values.at(place.b, g, j, d)),
                   e_k = k_.errors.at(place.b, g, j, d);
      error += q * e_k + k * e_q + e_q * e_k;
      size += q * k;
    }
    const double c = std::fabs(posed_.scale_or_usual());
    return {raise * c * error, size > 0 ? 1 + error / size : infinity};
  }

  struct head {
    std::vector<interval> exact;
    std::vector<double> errors;
  };

  head head_at(const row_index& place) const {
    const std::vector<interval> scores = exact_.scores(place.b, place.h, place.i);
    std::vector<given_logit> logits;
    for (std::size_t j = 0; j < scores.size(); ++j)
      logits.push_back({static_cast<std::int64_t>(j), scores[j]});
    logit_row row = row_of_logits(posed_, place, logits);
    const head exact{exact_.mixed(place.b, place.h, row.weights), {}};
    for (const interval& o : exact.exact) row.row.output.push_back(enclose(o));
    const std::vector<double> errors = score_errors(place, row.row);
    const forward_bound bound(contract_, posed_, place, row.row, {}, errors);
    return {exact.exact, output_errors(place, bound)};
  }

  // The roundings of a score are those of wrong q and k, which are larger by the growth at most.
  std::vector<double> score_errors(const row_index& place, const exact_row& row) const {
    const forward_bound own(contract_, posed_, place, row, {});
    std::vector<double> errors;
    for (std::size_t n = 0; n < row.keys.size(); ++n) {
      const moved_score m = moved(place, row.keys[n].key);
      const double rounded = own.logit(n) * m.growth;
      errors.push_back(m.error + (std::isnan(rounded) ? infinity : rounded));
    }
    return errors;
  }

  // Weights that are held sum to little more than 1: values that are wrong by e move an output by
  // that.
  std::vector<double> output_errors(const row_index& place, const forward_bound& bound) const {
    constexpr double most_mass = 1.01;
    std::vector<double> errors;
    for (std::int64_t d = 0; d < posed_.dims.value_width; ++d) {
      double wrong = 0;
      for (std::int64_t j = 0; j <= module_.last_key(place.i); ++j)
        wrong = std::max(wrong, v_.errors.at(place.b, posed_.kv_head(place.h), j, d));
      errors.push_back(bound.in_domain() ? bound.output(d) + most_mass * wrong : infinity);
    }
    return errors;
  }

  // --- Outputs ---

  void add_position(std::int64_t b, std::int64_t t, std::vector<module_element>& list) const {
    std::vector<head> heads;
    std::vector<std::vector<interval>> exact;
    for (std::int64_t h = 0; h < posed_.dims.query_heads; ++h) {
      heads.push_back(head_at({b, h, t}));
      exact.push_back(heads.back().exact);
    }
    const std::vector<interval> y = exact_.output(exact);
    for (std::int64_t e = 0; e < module_.outputs(); ++e) {
      list.push_back(element(heads, e, y[static_cast<std::size_t>(e)]));
      if (!in_domain_) list.back().bound = infinity;
    }
  }

  module_element element(const std::vector<head>& heads, std::int64_t e, const interval& y) const {
    if (!module_.w_o) return of_a_head(heads, e, y);
    double moved = 0, size = module_.b_o ? std::fabs(module_.b_o->at(0, 0, 0, e)) : 0, operands = 0;
    double terms = 0;
    for (std::size_t h = 0; h < heads.size(); ++h)
      for (std::size_t d = 0; d < heads[h].errors.size(); ++d) {
        const double w = std::fabs(
            module_.w_o->at(0, static_cast<std::int64_t>(h), static_cast<std::int64_t>(d), e));
        const double o = std::fabs(middle(heads[h].exact[d])) + heads[h].errors[d];
        moved += w == 0 ? 0 : w * heads[h].errors[d];
        size += w == 0 ? 0 : w * o;
        operands += w + o;
        ++terms;
      }
    const double error = moved + sum_error(terms, size, operands, contract_.v_conversion);
    return {enclose(y), std::isnan(error) ? infinity : raise * error, size};
  }

  module_element of_a_head(const std::vector<head>& heads, std::int64_t e,
                           const interval& y) const {
    const std::int64_t width = posed_.dims.value_width;
    const head& of = heads[static_cast<std::size_t>(e / width)];
    return {enclose(y), of.errors[static_cast<std::size_t>(e % width)], std::fabs(middle(y))};
  }

  const contract& contract_;
  const attention_module& module_;
  evaluated_module<interval> exact_;
  bool in_domain_ = true;  // no projection overflows
  projection q_, k_, v_;
  problem posed_;  // whose q, k and v are the projections, to a double
};

}  // namespace

std::vector<module_element> bound_of(const contract& c, const attention_module& m) {
  const interval_precision scope(256);
  return bounded_module(c, m).all();
}

}  // namespace attest
