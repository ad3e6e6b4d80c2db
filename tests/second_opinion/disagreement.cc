#include "tests/second_opinion/disagreement.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace attest::second_opinion {
namespace {

constexpr long first_precision = 192;  // three limbs: as cheap as 160
constexpr long last_precision = 1 << 14;

// One number that both sides know. size: what an exact enclosure is measured by.
struct quantity {
  char name;  // o, l or a
  std::int64_t index;
  const enclosure* claimed;
  const ball* known;
  const ball* size;
};

// The part of the answer that belongs to one row.
struct answer_row {
  const problem& p;
  const certified_answer& answer;
  row_place place;

  std::int64_t number() const {
    return (place.b * p.dims.query_heads + place.h) * p.dims.queries + place.i;
  }
  const enclosure& output(std::int64_t d) const {
    return answer.output[static_cast<std::size_t>(number() * p.dims.value_width + d)];
  }
  const enclosure& lse() const { return answer.lse[static_cast<std::size_t>(number())]; }
  const enclosure& weight(std::int64_t j) const {
    return answer.weights[static_cast<std::size_t>(number() * p.dims.keys + j)];
  }
  double magnitude(std::int64_t d) const {
    return answer.magnitudes[static_cast<std::size_t>(number() * p.dims.value_width + d)];
  }
};

const ball& one() {
  static const ball x(1);
  return x;
}

// What the semantics speaks of.
bool output_is_specified(const problem& p, const ball_row& row) {
  return !row.empty || p.rules.on_empty_row != empty_row::unspecified;
}
bool lse_is_specified(const problem& p, const ball_row& row) {
  return !row.sums_nothing || p.rules.on_empty_lse != empty_lse::unspecified;
}

std::vector<quantity> quantities_of(const answer_row& claimed, const ball_row& known) {
  std::vector<quantity> list;
  const problem& p = claimed.p;
  for (std::size_t d = 0; d < known.output.size() && output_is_specified(p, known); ++d) {
    const auto column = static_cast<std::int64_t>(d);
    list.push_back({'o', column, &claimed.output(column), &known.output[d], &known.magnitudes[d]});
  }
  if (lse_is_specified(p, known)) list.push_back({'l', 0, &claimed.lse(), &known.lse, &one()});
  for (std::size_t n = 0; n < known.weights.size() && !claimed.answer.weights.empty(); ++n)
    list.push_back(
        {'a', known.keys[n], &claimed.weight(known.keys[n]), &known.weights[n], &known.weights[n]});
  return list;
}

// The radius that the ball may have at most.
void put_allowed_radius(mag_t allowed, const quantity& q) {
  if (q.claimed->radius > 0) {
    mag_set_d_lower(allowed, q.claimed->radius);
    mag_mul_2exp_si(allowed, allowed, -bits_below_the_radius);
  } else {
    arb_get_mag_lower(allowed, q.size->get());
    mag_mul_2exp_si(allowed, allowed, -bits_of_an_exact_value);
  }
}

bool is_narrow(const quantity& q) {
  if (arb_is_exact(q.known->get())) return true;  // infinities and NaN included
  if (!arb_is_finite(q.known->get())) return false;
  mag_t allowed;
  mag_init(allowed);
  put_allowed_radius(allowed, q);
  const bool narrow = mag_cmp(arb_radref(q.known->get()), allowed) <= 0;
  mag_clear(allowed);
  return narrow;
}

// A ball that is infinite or NaN at any precision.
bool same_class(const ball& known, double claimed) {
  arf_srcptr middle = arb_midref(known.get());
  if (arf_is_inf(middle) && arb_is_exact(known.get()))
    return claimed == arf_get_d(middle, ARF_RND_NEAR);
  return arf_is_nan(middle) ? std::isnan(claimed) : !std::isfinite(claimed);
}

// Whether |known - (high + low)| > radius for every point of the ball.
bool lies_outside(const ball& known, const enclosure& e) {
  ball off(known);
  for (double part : {e.high, e.low})
    arb_sub(off.get(), off.get(), ball(part).get(), last_precision);
  arb_abs(off.get(), off.get());
  return arb_gt(off.get(), ball(e.radius).get());
}

bool agrees(const quantity& q) {
  const enclosure& e = *q.claimed;
  if (!arb_is_finite(q.known->get())) return same_class(*q.known, e.high);
  const bool is_a_number = std::isfinite(e.high) && std::isfinite(e.low);
  return is_a_number && e.radius >= 0 && std::isfinite(e.radius) && !lies_outside(*q.known, e);
}

// Balls narrow enough to judge the claims, or the best there are.
ball_row narrow_row(const answer_row& claimed) {
  for (long precision = first_precision;; precision *= 2) {
    ball_row row = arb_attention(claimed.p, claimed.place, precision);
    if (precision >= last_precision) return row;
    const std::vector<quantity> list = quantities_of(claimed, row);
    if (std::all_of(list.begin(), list.end(), is_narrow)) return row;
  }
}

std::string describe(const answer_row& claimed, const quantity& q, const char* what) {
  std::ostringstream text;
  const row_place& at = claimed.place;
  text.precision(17);
  text << (q.name == 'l' ? std::string("lse") : std::string(1, q.name)) << '[' << at.b << ", "
       << at.h << ", " << at.i << ", " << q.index << "] " << what << ": " << q.claimed->high
       << " + " << q.claimed->low << " +- " << q.claimed->radius << ", Arb " << to_string(*q.known);
  return text.str();
}

std::optional<std::string> check_quantities(const answer_row& claimed, const ball_row& known) {
  for (const quantity& q : quantities_of(claimed, known)) {
    if (!agrees(q)) return describe(claimed, q, "contradicts the second opinion");
    if (arb_is_finite(q.known->get()) && !is_narrow(q))
      return describe(claimed, q, "can't be judged");
  }
  return {};
}

// A key outside the set has the weight 0 and no doubt about it.
std::optional<std::string> check_removed_keys(const answer_row& claimed, const ball_row& known) {
  if (claimed.answer.weights.empty()) return {};
  for (std::int64_t j = 0; j < claimed.p.dims.keys; ++j) {
    if (std::binary_search(known.keys.begin(), known.keys.end(), j)) continue;
    const enclosure& e = claimed.weight(j);
    const ball zero;
    if (!(e.high == 0 && e.low == 0 && e.radius == 0))
      return describe(claimed, {'a', j, &e, &zero, &zero}, "is the weight of a removed key");
  }
  return {};
}

// What weights and products that underflow, one a key, may add to a magnitude.
double underflow_of(const problem& p, std::int64_t b, std::int64_t column) {
  double sum = 0;
  for (std::int64_t g = 0; g < p.dims.kv_heads; ++g)
    for (std::int64_t j = 0; j < p.dims.keys; ++j)
      sum += 0x1p-1073 * (1 + std::fabs(p.v.at(b, g, j, column)));
  return std::isfinite(sum) ? sum : 0;
}

bool magnitude_agrees(double claimed, const ball& known, double uncertainty) {
  if (!arb_is_finite(known.get())) return !std::isfinite(claimed);
  ball most;
  arb_mul(most.get(), known.get(), ball(1 + magnitude_excess).get(), first_precision);
  for (double excess : {magnitude_floor, uncertainty})
    arb_add(most.get(), most.get(), ball(excess).get(), first_precision);
  return !arb_gt(known.get(), ball(claimed).get()) && !arb_gt(ball(claimed).get(), most.get());
}

std::optional<std::string> check_magnitudes(const answer_row& claimed, const ball_row& known) {
  if (claimed.answer.magnitudes.empty() || known.empty) return {};
  for (std::size_t d = 0; d < known.magnitudes.size(); ++d) {
    const auto column = static_cast<std::int64_t>(d);
    const enclosure e{claimed.magnitude(column), 0, 0};
    const double uncertainty =
        2 * claimed.output(column).radius + underflow_of(claimed.p, claimed.place.b, column);
    if (!magnitude_agrees(e.high, known.magnitudes[d], uncertainty))
      return describe(claimed, {'m', column, &e, &known.magnitudes[d], &one()},
                      "is not sum a|v| rounded up");
  }
  return {};
}

std::optional<std::string> check_row(const answer_row& claimed) {
  const ball_row known = narrow_row(claimed);
  for (auto check : {check_quantities, check_removed_keys, check_magnitudes})
    if (const auto found = check(claimed, known)) return found;
  return {};
}

std::optional<std::string> check_sizes(const problem& p, const certified_answer& answer) {
  const shape& s = p.dims;
  const auto rows = static_cast<std::size_t>(s.batch * s.query_heads * s.queries);
  const auto fits = [&](std::size_t size, std::int64_t width, bool optional) {
    return size == rows * static_cast<std::size_t>(width) || (optional && size == 0);
  };
  if (fits(answer.output.size(), s.value_width, false) && fits(answer.lse.size(), 1, false) &&
      fits(answer.weights.size(), s.keys, true) &&
      fits(answer.magnitudes.size(), s.value_width, true))
    return {};
  return "the answer has not the size of the problem";
}

}  // namespace

std::optional<std::string> disagreement(const problem& p, const certified_answer& answer) {
  if (const auto found = check_sizes(p, answer)) return found;
  for (std::int64_t b = 0; b < p.dims.batch; ++b)
    for (std::int64_t h = 0; h < p.dims.query_heads; ++h)
      for (std::int64_t i = 0; i < p.dims.queries; ++i)
        if (const auto found = check_row({p, answer, {b, h, i}})) return found;
  return {};
}

}  // namespace attest::second_opinion
