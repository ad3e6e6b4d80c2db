#include "reference/certified/tile.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/certified/budget.h"
#include "reference/certified/operand_sizes.h"
#include "reference/certified/row_state.h"
#include "reference/definition/bias.h"
#include "reference/definition/dropout.h"
#include "reference/formats/format.h"

namespace attest {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
constexpr double raise = 1 + 0x1p-30;

// A row that weighs keys below -most_logit as nothing must itself have a power above this: what
// they weigh is then below 2^-least_power of it.
constexpr int least_power_beside_dropped = -10000;
constexpr double most_relative_radius = 0x1p-40;

// Where a tile's rows lie in memory between the stages.
struct workspace {
  workspace(std::size_t rows, std::size_t value_columns)
      : columns(value_columns), sums(rows * 4 * columns), magnitudes(rows * columns) {}

  value_sums sums_of(std::size_t row) {
    double* at = &sums[row * 4 * columns];
    return {{at, at + columns, at + 2 * columns}, at + 3 * columns};
  }

  std::size_t columns;
  aligned_doubles sums;
  aligned_doubles magnitudes;
  score_tile scores;
  score_tile weights;
  score_tile logits;
  alignas(64) double errors[tile_rows][block_keys];
  alignas(64) double bias[block_keys];
  alignas(64) double removed[block_keys];
};

class tile {
 public:
  tile(const problem& p, const packed_head& head, const row_index& first, std::size_t rows,
       const wanted& ask, const stages& run)
      : problem_(p),
        head_(head),
        queries_(pack_queries(p, first.b, first.h, first.i, rows)),
        ask_(ask),
        run_(run),
        sizes_(static_cast<std::size_t>(p.dims.width)),
        rows_(rows),
        work_(rows, head.columns) {
    if (ask.keys) sizes_.take_queries(queries_.slices, rows);
    for (std::size_t r = 0; r < rows; ++r) {
      row_state& row = rows_[r];
      row.place = {first.b, first.h, first.i + static_cast<std::int64_t>(r)};
      row.visible = visible_keys(p, row.place);
      if (ask.keys) row.query_size = sizes_.query_size(r);
      row.outside = !rule_fits() || queries_.outside[r] || meets_outside_key(row);
    }
  }

  std::vector<certified_row> certify() {
    const auto [first, last] =
        problem_.dims.width == 0 ? std::pair<std::size_t, std::size_t>{} : blocks();
    for (std::size_t block = first; block < last; ++block) add_block(block);
    std::vector<certified_row> results;
    for (std::size_t r = 0; r < rows_.size(); ++r) results.push_back(end_of(r));
    return results;
  }

 private:
  // Whether a softmax of products is asked, with a scale and a cap that double-doubles can be
  // multiplied by.
  bool rule_fits() const {
    const auto fits = [](double x) { return std::fabs(x) < most_factor; };
    const semantics& rules = problem_.rules;
    return rules.is_softmax() && rules.scores_by_products() && problem_.dims.width > 0 &&
           fits(head_.rule.scale_high) && fits(head_.rule.cap) &&
           fits(head_.rule.inverse_cap_high) && scaled_values_fit();
  }

  // Beyond, an output may be no double.
  bool scaled_values_fit() const {
    constexpr double most = 0x1p1000;
    return !problem_.dropout_mask ||
           std::all_of(head_.largest.begin(), head_.largest.end(),
                       [&](double v) { return v * problem_.dropout_scale < most; });
  }

  bool meets_outside_key(const row_state& row) const {
    return std::any_of(head_.outside.begin(), head_.outside.end(), [&](std::int64_t j) {
      return row.visible.holds(j) && admits(problem_, row.place, j);
    });
  }

  // The blocks that some row sees a key of.
  std::pair<std::size_t, std::size_t> blocks() const {
    std::size_t first = head_.keys.size(), last = 0;
    for (const row_state& row : rows_) {
      if (row.visible.first >= row.visible.last) continue;
      first = std::min(first, static_cast<std::size_t>(row.visible.first) / block_keys);
      last = std::max(last, static_cast<std::size_t>(row.visible.last - 1) / block_keys + 1);
    }
    return {first, last};
  }

  bool is_seen_by(const row_state& row, std::size_t block) const {
    const auto first = static_cast<std::int64_t>(block * block_keys);
    const std::int64_t begin = std::max(first, row.visible.first);
    const std::int64_t end =
        std::min(first + static_cast<std::int64_t>(block_keys), row.visible.last);
    if (row.outside || begin >= end) return false;
    if (!has_holes(problem_)) return true;
    for (std::int64_t j = begin; j < end; ++j)
      if (admits(problem_, row.place, j)) return true;
    return false;
  }

  void add_block(std::size_t block) {
    const auto sees = [&](const row_state& row) { return is_seen_by(row, block); };
    if (std::none_of(rows_.begin(), rows_.end(), sees)) return;
    score(block);
    if (ask_.keys) sizes_.take_block(head_.keys[block]);
    std::vector<value_row> seen;
    for (std::size_t r = 0; r < rows_.size(); ++r) weigh(block, r, seen);
    const packed_values& values = head_.values[block];
    for (std::size_t n = 0; n < values.slices.size() && !seen.empty(); ++n) {
      const packed_slice& v = values.slices[n];
      run_.values({.columns = head_.columns,
                   .v = v.values,
                   .anchors = v.anchors,
                   .largest = values.largest,
                   .total = values.total,
                   .further = n > 0},
                  seen);
      for (value_row& row : seen) row.keep = 1;
    }
  }

  // The rule for one row and block, with what its scores lose: of a first pass, the roundings of
  // their products and sums; otherwise, those of adding further slices, relative to a score, and
  // absolute, since slices may cancel.
  logit_rule rule_for(std::size_t r, std::size_t block) const {
    logit_rule rule = head_.rule;
    const auto has_bits = [r](const packed_slice& q) { return q.bits[r] > 0; };
    const auto slices = std::count_if(queries_.slices.begin(), queries_.slices.end(), has_bits);
    const packed_vectors& keys = head_.keys[block];
    const auto pairs =
        static_cast<double>(std::max<std::ptrdiff_t>(slices, 1)) * static_cast<double>(keys.size());
    if (pairs == 1 && !run_.quick) return rule;
    const double largest_key =
        *std::max_element(keys.front().anchors, keys.front().anchors + block_keys);
    const double size =
        std::fabs(rule.scale_high) * queries_.slices.front().anchors[r] * largest_key;
    if (run_.quick) {
      const double roundings = pairs * static_cast<double>(problem_.dims.width + 4);
      rule.weight_error += quick_error + roundings * 0x1p-53 * size;
      return rule;
    }
    rule.scale_error += (pairs - 1) * addition_error;
    rule.weight_error += (pairs - 1) * addition_error * (rule.cap + 0x1p-30 * size);
    return rule;
  }

  void score(std::size_t block) {
    bool further = false;
    for (const packed_slice& q : queries_.slices)
      for (const packed_slice& k : head_.keys[block]) {
        run_.scores({.rows = rows_.size(),
                     .width = static_cast<std::size_t>(problem_.dims.width),
                     .q = q.values,
                     .q_anchors = q.anchors,
                     .k = k.values,
                     .k_anchors = k.anchors,
                     .q_bits = q.bits.data(),
                     .k_bits = k.bits.data(),
                     .further = further},
                    work_.scores);
        further = true;
      }
  }

  void weigh(std::size_t block, std::size_t r, std::vector<value_row>& seen) {
    row_state& row = rows_[r];
    const auto first = static_cast<std::int64_t>(block * block_keys);
    const auto last = first + static_cast<std::int64_t>(block_keys);
    if (row.outside || row.visible.last <= first || last <= row.visible.first) return;
    const logit_terms terms = terms_of(row, first);
    row_weights w{.high = work_.weights.high[r],
                  .low = work_.weights.low[r],
                  .logit_high = ask_.keys ? work_.logits.high[r] : nullptr,
                  .logit_low = ask_.keys ? work_.logits.low[r] : nullptr,
                  .errors = terms.removed == nullptr ? nullptr : work_.errors[r]};
    row.meets_values |= leaves_a_weight(row.place, first, terms);
    run_.weights(rule_for(r, block), terms, work_.scores.high[r], work_.scores.low[r], w);
    row.outside |= w.outside;
    row.dropped |= w.dropped;
    if (row.outside) return;
    if (ask_.weights || ask_.keys) keep(row, block, r, w);
    if (!w.any) return;
    if (problem_.dropout_mask) drop(row.place, first, w);
    value_row part = row.mass.add(w);
    part.sums = work_.sums_of(r);
    part.errors = w.errors;
    seen.push_back(part);
    if (ask_.magnitudes) add_magnitudes(block, r, w, part);
  }

  // Keys of the block that dropout may drop.
  std::int64_t end_of_block(std::int64_t first) const {
    return std::min(static_cast<std::int64_t>(block_keys), problem_.dims.keys - first);
  }

  // Whether dropout leaves the weight of a key that the row sees in the block.
  bool leaves_a_weight(const row_index& row, std::int64_t first, const logit_terms& terms) const {
    bool left = !problem_.dropout_mask;
    for (std::int64_t n = 0; !left && n < end_of_block(first); ++n)
      left =
          (terms.removed == nullptr || terms.removed[n] == 0) && !drops(problem_, row, first + n);
    return left;
  }

  // Takes dropped weights from what meets the values; the sum of the weights is apart, and has
  // them.
  void drop(const row_index& row, std::int64_t first, const row_weights& w) const {
    for (std::int64_t n = 0; n < end_of_block(first); ++n)
      if (drops(problem_, row, first + n)) w.high[n] = w.low[n] = 0;
  }

  // The bias of a row in a block, and -inf for keys that it doesn't see.
  logit_terms terms_of(row_state& row, std::int64_t first) {
    const auto last = first + static_cast<std::int64_t>(block_keys);
    const bool biased = has_bias(problem_);
    const bool whole = row.visible.first <= first && last <= row.visible.last;
    if (whole && !has_holes(problem_) && !biased) return {};
    bool all_kept = true;
    for (std::size_t n = 0; n < block_keys; ++n) {
      const std::int64_t j = first + static_cast<std::int64_t>(n);
      const bool kept = row.visible.holds(j) && admits(problem_, row.place, j);
      all_kept &= kept;
      work_.removed[n] = kept ? 0 : minus_infinity;
      work_.bias[n] = kept && biased ? bias_of(problem_, row.place, j) : 0;
      row.outside |= !(std::fabs(work_.bias[n]) < most_factor) ||
                     (kept && is_capped_mask(problem_, row.place, j));
    }
    return {biased ? work_.bias : nullptr, all_kept ? nullptr : work_.removed};
  }

  void keep(row_state& row, std::size_t block, std::size_t r, const row_weights& w) const {
    kept_block& copy = row.kept.emplace_back();
    copy.block = block;
    copy.any = w.any;
    copy.power = w.power;
    copy.error = w.error;
    const auto take = [](const double* from, double* to) {
      std::copy(from, from + block_keys, to);
    };
    take(work_.weights.high[r], copy.high);
    take(work_.weights.low[r], copy.low);
    if (!w.any) {
      std::fill(copy.high, copy.high + block_keys, 0.0);
      std::fill(copy.low, copy.low + block_keys, 0.0);
    }
    take(work_.logits.high[r], copy.logit_high);
    take(work_.logits.low[r], copy.logit_low);
    if (ask_.keys) sizes_.put_products(r, copy);
  }

  // sum w |v|, over the row's power.
  void add_magnitudes(std::size_t block, std::size_t r, const row_weights& w,
                      const value_row& part) {
    double* sums = &work_.magnitudes[r * head_.columns];
    const packed_vectors& slices = head_.values[block].slices;
    for (std::size_t d = 0; d < head_.columns; ++d) sums[d] *= part.keep;
    for (std::size_t j = 0; j < block_keys; ++j) {
      const double weight = part.add * (w.high[j] + w.low[j]);
      for (std::size_t d = 0; weight > 0 && d < head_.columns; ++d) {
        double v = 0;
        for (const packed_slice& s : slices)
          v += s.values[(d / column_group * block_keys + j) * column_group + d % column_group];
        sums[d] += weight * std::fabs(v);
      }
    }
  }

  // Whether the row's end is beyond the engine: no key at all, only keys that it left out, or a
  // soft cap so wide that nothing is left of the weights' digits.
  static bool ends_outside(const row_state& row, const row_mass& mass) {
    if (row.outside || !mass.any()) return true;
    if (!(mass.radius() < most_relative_radius * mass.mass().hi)) return true;
    return row.dropped && mass.power() < least_power_beside_dropped;
  }

  certified_row end_of(std::size_t r) {
    row_state& row = rows_[r];
    certified_row result;
    result.place = row.place;
    result.row.output.reserve(static_cast<std::size_t>(problem_.dims.value_width));
    const bool sink = !problem_.sink.empty();
    const double logit = sink ? problem_.sink[static_cast<std::size_t>(row.place.h)] : 0;
    const bool fits = std::fabs(logit) <= most_logit;
    const row_mass keys = row.mass;
    if (sink && fits) row.mass.add_sink(logit);
    const row_mass& counted = problem_.rules.sink == lse_sink::included ? row.mass : keys;
    result.outside = !fits || ends_outside(row, row.mass) || ends_outside(row, counted);
    if (result.outside) return result;
    // The values' sums are over 2^power, the mass over another where a sink has raised it.
    const int fall = keys.any() ? keys.power() - row.mass.power() : 0;
    const double factor = fall < -least_power ? 0 : power_of_two(fall);
    put_values(r, factor, result);
    const enclosure log_mass = row.mass.log(), lse = counted.log();
    result.row.lse = problem_.rules.base == lse_base::two ? in_base_2(lse) : lse;
    if (ask_.weights) result.weights = weights_of(problem_, row);
    if (ask_.keys)
      describe_keys(problem_, row, std::fabs(head_.rule.scale_high), log_mass, result.row);
    return result;
  }

  // s / l.
  enclosure factor_of_sums(const row_mass& mass) const {
    const enclosure inverse = inverse_mass(mass);
    return problem_.dropout_mask ? product(inverse, {problem_.dropout_scale, 0, 0}) : inverse;
  }

  void put_values(std::size_t r, double factor, certified_row& result) {
    const row_state& row = rows_[r];
    const value_sums sums = work_.sums_of(r);
    const enclosure inverse = factor_of_sums(row.mass);
    const double additions = static_cast<double>(head_.value_slices);
    const double many = raise + (run_.quick ? additions / 64 : cubed(additions) * 0x1p-53);
    const double lost = row.mass.lost() + (row.dropped ? negligible : 0);
    for (std::size_t d = 0; d < static_cast<std::size_t>(problem_.dims.value_width); ++d) {
      const double_double sum = renormalised(sums.part[0][d], sums.part[1][d], sums.part[2][d]);
      const double radius =
          row.meets_values ? many * (factor * sums.radius[d] + lost * head_.largest[d]) : 0;
      result.row.output.push_back(product({factor * sum.hi, factor * sum.lo, radius}, inverse));
      if (ask_.magnitudes)
        result.magnitudes.push_back(
            raise * (factor * work_.magnitudes[r * head_.columns + d] + radius) * inverse.high);
    }
  }

  const problem& problem_;
  const packed_head& head_;
  packed_queries queries_;
  const wanted& ask_;
  const stages& run_;
  operand_sizes sizes_;
  std::vector<row_state> rows_;
  workspace work_;
};

}  // namespace

std::vector<certified_row> certify_tile(const problem& p, const packed_head& head,
                                        const row_index& first, std::size_t rows, const wanted& ask,
                                        const stages& run) {
  return tile(p, head, first, rows, ask, run).certify();
}

}  // namespace attest
