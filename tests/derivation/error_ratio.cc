#include "tests/derivation/error_ratio.h"

#include <limits>

namespace attest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// An infinity is right where the bound reaches past the largest number.
double ratio_of(const enclosure& exact, double observed, double bound, const format& stored) {
  const bool may_overflow = std::fabs(exact.high) + bound >= largest_finite(stored);
  if (may_overflow && std::isinf(observed)) return 0;
  if (!std::isfinite(observed)) return observed == exact.high ? 0 : infinity;
  const double least = distance_to(exact, observed).least;
  return least == 0 ? 0 : least / bound;
}

std::string place_text(const row_index& row, std::int64_t d) {
  return " [" + std::to_string(row.b) + "," + std::to_string(row.h) + "," + std::to_string(row.i) +
         "," + std::to_string(d) + "]";
}

bool is_judged(const forward_bound& bound, const exact_row& exact, worst_ratio& worst) {
  if (exact.empty()) return false;
  ++(bound.in_domain() ? worst.rows : worst.outside);
  return bound.in_domain();
}

}  // namespace

void worst_ratio::meet(double other, const std::string& place) {
  if (!(other > ratio)) return;
  ratio = other;
  where = place;
}

void measure_output(const judged_row& row, const tensor& o, const std::string& label,
                    worst_ratio& worst) {
  const forward_bound bound(row.keeps, row.p, row.place, row.exact);
  if (!is_judged(bound, row.exact, worst)) return;
  for (std::int64_t d = 0; d < row.p.dims.value_width; ++d) {
    const double allowed = bound.output(d);
    const double observed = o.at(row.place.b, row.place.h, row.place.i, d);
    const enclosure& exact = row.exact.output[static_cast<std::size_t>(d)];
    if (allowed > bound.hull(d) / 4) ++worst.undecided;
    worst.meet(ratio_of(exact, observed, allowed, o.element()), label + place_text(row.place, d));
  }
}

void measure_lse(const judged_row& row, const tensor& lse, const std::string& label,
                 worst_ratio& worst) {
  const forward_bound bound(row.keeps, row.p, row.place, row.exact);
  if (!is_judged(bound, row.exact, worst)) return;
  const double observed = lse.at(row.place.b, row.place.h, row.place.i, 0);
  worst.meet(ratio_of(row.exact.lse, observed, bound.lse(), lse.element()),
             label + place_text(row.place, -1));
}

}  // namespace attest
