#include "properties/judge.h"

#include <cmath>
#include <limits>

#include "properties/judged_rows.h"

namespace attest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double ratio_of(double error, double bound) {
  if (error == 0) return 0;
  return bound > 0 ? error / bound : infinity;
}

// NaN for NaN, infinity for the same infinity; an infinity also where the exact value may overflow
// the format.
double class_ratio(const due& d, double observed) {
  if (std::isnan(observed) || std::isnan(d.value.high))
    return std::isnan(observed) == std::isnan(d.value.high) ? 0 : infinity;
  if (observed == d.value.high) return 0;
  const bool same_side = std::signbit(observed) == std::signbit(d.value.high + 0.0);
  return std::isinf(observed) && may_overflow(d) && (same_side || d.bound > std::fabs(d.value.high))
             ? 0
             : infinity;
}

void count_share(judgement& j, const due& d) {
  if (!(d.scale > 0)) return;
  const double share = std::fmin(d.bound, d.likely) / d.scale;
  ++j.scaled;
  j.share_sum += share < 1 ? share : 1;
}

}  // namespace

bool may_overflow(const due& d) {
  return std::isfinite(d.value.high) &&
         std::fabs(d.value.high) + d.bound >= largest_finite(*d.stored);
}

std::string place_of(const char* tensor, const row_index& row, std::int64_t d) {
  std::string text = std::string(tensor) + "[b=" + std::to_string(row.b) +
                     ",h=" + std::to_string(row.h) + ",i=" + std::to_string(row.i);
  return d < 0 ? text + "]" : text + ",d=" + std::to_string(d) + "]";
}

void judge_element(judgement& j, const due& d, double observed, const std::string& where,
                   const char* what) {
  observation seen{where, what, observed, d.value.high, d.bound, 0};
  if (!std::isfinite(observed) || !std::isfinite(d.value.high)) {
    seen.ratio = class_ratio(d, observed);
    j.add(seen);
    return;
  }
  count_share(j, d);
  const distance error = distance_to(d.value, observed);
  const double least_bound = std::fmin(d.bound, d.likely);
  seen.improbable = error.least > least_bound && !(error.least > d.bound);
  if (seen.improbable) seen.bound = d.likely;
  if (error.least > least_bound) {
    seen.ratio = ratio_of(error.least, seen.bound);
    j.add(seen);
  } else if (!(error.most <= d.bound) || (d.scale > 0 && least_bound > vacuous_share * d.scale)) {
    ++j.undecided;
  } else {
    if (std::isinf(d.bound)) seen.bound = d.likely;
    seen.ratio = ratio_of(error.most, seen.bound);
    j.add(seen);
  }
}

row_reference::row_reference(certified_rows& rows, const terms& t, const row_index& place)
    : terms_(t), exact_(rows.at(place)) {
  bound_.emplace(t.kept, rows.posed(), place, exact_, t.sure);
  if (is_certain()) return;
  exact_ = compute_exact_row(rows.posed(), place);
  bound_.emplace(t.kept, rows.posed(), place, exact_, t.sure);
}

// Whether no radius is a share of the bound that counts.
bool row_reference::is_certain() const {
  constexpr double share = 0x1p-20;
  for (std::size_t d = 0; d < exact_.output.size(); ++d)
    if (exact_.output[d].radius > share * bound_->output(static_cast<std::int64_t>(d)))
      return false;
  return !(exact_.lse.radius > share * bound_->lse());
}

// What saturates stops at the largest finite number.
enclosure row_reference::as_stored(enclosure x) const {
  const double largest = largest_finite(*terms_.kept.output);
  const bool saturates = terms_.kept.output_overflow == overflow_mode::saturate;
  if (!saturates || !(std::fabs(x.high) > largest)) return x;
  return {std::copysign(largest, x.high), 0, 0};
}

due row_reference::output(std::int64_t d) const {
  return {as_stored(exact_.output[static_cast<std::size_t>(d)]), bound_->output(d), bound_->hull(d),
          terms_.kept.output, bound_->likely_output(d)};
}

due row_reference::lse() const {
  return {exact_.lse, bound_->lse(), 1, terms_.kept.lse, bound_->likely_lse()};
}

bool output_is_specified(const problem& p, const exact_row& row) {
  return !row.empty() || p.rules.on_empty_row != empty_row::unspecified;
}

bool lse_is_specified(const problem& p, const exact_row& row) {
  if (!p.rules.is_softmax()) return false;
  const bool sink_alone = row.keys.size() == 1 && row.keys.front().key == sink_key;
  const bool sums_nothing = row.empty() || (sink_alone && p.rules.sink == lse_sink::left_out);
  return !sums_nothing || p.rules.on_empty_lse != empty_lse::unspecified;
}

judgement judge_answer(const problem& p, const answer& a, const terms& t) {
  judgement j;
  for_each_judged_row(j, p, t, [&](const row_index& place, const row_reference& row) {
    for (std::int64_t d = 0; d < p.dims.value_width && output_is_specified(p, row.exact()); ++d)
      judge_element(j, row.output(d), a.o.at(place.b, place.h, place.i, d), place_of("o", place, d),
                    "output");
    if (a.lse && lse_is_specified(p, row.exact()))
      judge_element(j, row.lse(), a.lse->at(place.b, place.h, place.i, 0),
                    place_of("lse", place, -1), "lse");
  });
  return j;
}

}  // namespace attest
