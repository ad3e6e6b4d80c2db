#include "reference/certified/rounded.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "reference/definition/bias.h"
#include "reference/elementary/double_double.h"
#include "reference/exact/rising_precision.h"
#include "reference/formats/ordinal.h"
#include "reference/formats/rounding.h"

namespace attest {
namespace {

// The least and the greatest number of the format to which a value may round, as ordinals.
struct candidates {
  std::int64_t least, greatest;
  bool same_sign;

  // Then the value lies strictly between the midpoints about it.
  bool decided() const { return least == greatest && (least != 0 || same_sign); }
};

double nearest(const format& f, const double_double& x) { return round_to(f, {}, x.hi, x.lo); }

// An end of the enclosure, a step of the doubles further out.
double_double end_of(const enclosure& x, double outwards) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double offset = std::nextafter(x.low + outwards * x.radius, outwards * infinity);
  return two_sum(x.high, offset);
}

// An end that no number of the format is near rounds to an infinity or NaN of its sign.
std::int64_t ordinal_of_end(const format& f, const double_double& end) {
  const double number = nearest(f, end);
  const std::int64_t beyond = last_ordinal(f) + 1;
  if (std::isnan(number)) return std::signbit(end.hi) ? -beyond : beyond;
  return ordinal(f, number);
}

candidates candidates_of(const format& f, const enclosure& x) {
  const double_double lower = end_of(x, -1), upper = end_of(x, 1);
  const std::int64_t beyond = last_ordinal(f) + 1;
  if (!std::isfinite(lower.lo) || !std::isfinite(upper.lo)) return {-beyond, beyond, false};
  return {ordinal_of_end(f, lower), ordinal_of_end(f, upper),
          std::signbit(lower.hi) == std::signbit(upper.hi)};
}

bool is_exact(const enclosure& x) {
  return !std::isfinite(x.high) || (x.high == 0 && x.low == 0 && x.radius == 0);
}

struct rounded_value {
  double number;
  bool tie = false;
  bool decided = true;
};

// Bisection of the numbers of a format by asking on which side of them, or of a midpoint, the value
// lies.
template <class SideOf>
class bisection {
 public:
  bisection(const format& f, SideOf side_of) : format_(f), side_of_(side_of) {}

  // Result: nothing where a side stays unknown.
  std::optional<rounded_value> between(std::int64_t least, std::int64_t greatest) {
    while (least < greatest && least + 1 < greatest) {  // their difference may overflow
      const std::int64_t middle = std::midpoint(least, greatest);
      switch (side_of_(point_at(format_, middle))) {
        case side::at:
          return rounded_value{number_at(format_, middle)};
        case side::above:
          least = middle;
          break;
        case side::below:
          greatest = middle;
          break;
        case side::unknown:
          return std::nullopt;
      }
    }
    return least == greatest ? signed_number(least) : nearer(least);
  }

 private:
  std::optional<rounded_value> nearer(std::int64_t least) {
    const side found = side_of_(midpoint_after(format_, least));
    if (found == side::unknown) return std::nullopt;
    const bool up = found == side::above || (found == side::at && least % 2 != 0);
    std::optional<rounded_value> result = signed_number(up ? least + 1 : least);
    if (result) result->tie = found == side::at;
    return result;
  }

  std::optional<rounded_value> signed_number(std::int64_t n) {
    if (n != 0) return rounded_value{number_at(format_, n)};
    const side found = side_of_({});
    if (found == side::unknown) return std::nullopt;
    return rounded_value{found == side::below ? -0.0 : 0.0};
  }

  const format& format_;
  SideOf side_of_;
};

// Whether a soft cap makes a finite logit of a score that is not: rising_row doesn't know such
// keys.
bool cap_hides_infinity(const problem& p, const row_index& row) {
  if (!(p.soft_cap > 0)) return false;
  const auto width = static_cast<std::size_t>(p.dims.width);
  std::vector<double> q(width), k(width);
  p.q.read(row.b, row.h, row.i, q);
  const auto finite = [](double x) { return std::isfinite(x); };
  const bool q_fits = std::all_of(q.begin(), q.end(), finite) && finite(p.scale.value_or(1));
  const std::vector<std::int64_t> keys = key_set(p, row);
  return std::any_of(keys.begin(), keys.end(), [&](std::int64_t j) {
    if (is_capped_mask(p, row, j)) return false;
    p.k.read(row.b, p.kv_head(row.h), j, k);
    return !q_fits || !std::all_of(k.begin(), k.end(), finite) ||
           (has_bias(p) && !finite(bias_of(p, row, j)));
  });
}

// Rounds the values of one row; multiprecision only once an enclosure leaves one open.
class row_rounding {
 public:
  row_rounding(const problem& p, const row_index& place, const format& f)
      : problem_(p), place_(place), format_(f) {}

  template <class SideOf>
  rounded_value round(const enclosure& x, rounded_answer& answer, SideOf side_of) {
    if (is_exact(x)) return {nearest(format_, {x.high, 0})};
    const candidates ends = candidates_of(format_, x);
    if (ends.decided()) return {nearest(format_, {x.high, x.low})};
    ++answer.in_multiprecision;
    if (!is_known_to_rising_row() || cap_hides_infinity(problem_, place_))
      return left_open(x, answer);
    if (!row_) row_.emplace(problem_, place_);
    const auto found = bisection(format_, [&](const dyadic& point) {
                         return side_of(*row_, point);
                       }).between(ends.least, ends.greatest);
    return found ? *found : left_open(x, answer);
  }

 private:
  bool is_known_to_rising_row() const {
    return problem_.rules.is_softmax() && problem_.rules.scores_by_products();
  }
  rounded_value left_open(const enclosure& x, rounded_answer& answer) const {
    ++answer.undecided;
    return {nearest(format_, {x.high, x.low}), false, false};
  }

  const problem& problem_;
  row_index place_;
  const format& format_;
  std::optional<rising_row> row_;
};

void append(const rounded_value& x, std::vector<double>& numbers, std::vector<std::uint8_t>& ties) {
  numbers.push_back(x.number);
  ties.push_back(x.tie);
}

void round_row(const problem& p, const row_index& place, const format& f,
               const certified_answer& certain, rounded_answer& answer) {
  row_rounding row(p, place, f);
  const auto width = static_cast<std::size_t>(p.dims.value_width);
  const std::size_t n = answer.lse.size();
  for (std::size_t d = 0; d < width; ++d)
    append(row.round(certain.output[n * width + d], answer,
                     [&](rising_row& r, const dyadic& x) {
                       return r.output_side(static_cast<std::int64_t>(d), x);
                     }),
           answer.output, answer.output_ties);
  append(row.round(certain.lse[n], answer,
                   [](rising_row& r, const dyadic& x) { return r.lse_side(x); }),
         answer.lse, answer.lse_ties);
}

}  // namespace

rounded_answer round_correctly(const problem& p, const format& f, const certified_answer& certain) {
  rounded_answer answer;
  row_index place;
  for (place.b = 0; place.b < p.dims.batch; ++place.b)
    for (place.h = 0; place.h < p.dims.query_heads; ++place.h)
      for (place.i = 0; place.i < p.dims.queries; ++place.i)
        round_row(p, place, f, certain, answer);
  return answer;
}

rounded_answer round_correctly(const problem& p, const format& f,
                               const certified_options& options) {
  return round_correctly(p, f, certify(p, options));
}

}  // namespace attest
