#include "reference/certified/tile.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/certified/budget.h"
#include "reference/certified/exponential.h"
#include "reference/certified/nearest.h"
#include "reference/certified/row_end.h"
#include "reference/elementary/elementary.h"
#include "reference/formats/format.h"

namespace attest {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
constexpr double raise = 1 + 0x1p-30;

// A row that weighs keys below -most_logit as nothing must itself have a power above this: what
// they weigh is then below 2^-least_power of it.
constexpr int least_power_beside_dropped = -10000;
constexpr double most_relative_radius = 0x1p-40;

// One row in one block, kept for what is asked of single keys.
struct kept_block {
  std::size_t block = 0;
  bool any = false;
  int power = 0;
  double error = 0;
  alignas(64) double high[block_keys];
  alignas(64) double low[block_keys];
  alignas(64) double logit_high[block_keys];
  alignas(64) double logit_low[block_keys];
  alignas(64) double products[block_keys];   // sum |q_t k_t|, rounded up
  alignas(64) double key_sizes[block_keys];  // sum |k_t|, rounded up
};

struct row_state {
  row_index place;
  key_span visible;
  bool outside = false;
  bool dropped = false;
  row_mass mass;
  std::vector<kept_block> kept;
};

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
  std::vector<double> query_elements;  // |q|, [rows, width]
  std::vector<double> key_elements;    // |k| of the current block, as packed
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
        rule_(rule_of(p)),
        rows_(rows),
        work_(rows, head.columns) {
    for (std::size_t r = 0; r < rows; ++r) {
      row_state& row = rows_[r];
      row.place = {first.b, first.h, first.i + static_cast<std::int64_t>(r)};
      row.visible = visible_keys(p, row.place);
      row.outside = !rule_fits() || queries_.outside[r] || meets_outside_key(row);
    }
  }

  std::vector<certified_row> certify() {
    if (ask_.keys) size_queries();
    const auto [first, last] =
        problem_.dims.width == 0 ? std::pair<std::size_t, std::size_t>{} : blocks();
    for (std::size_t block = first; block < last; ++block) add_block(block);
    std::vector<certified_row> results;
    for (std::size_t r = 0; r < rows_.size(); ++r) results.push_back(end_of(r));
    return results;
  }

 private:
  // Whether the scale and the cap are numbers that double-doubles can be multiplied by.
  bool rule_fits() const {
    const auto fits = [](double x) { return std::fabs(x) < most_factor; };
    return problem_.dims.width > 0 && fits(rule_.scale_high) && fits(rule_.cap) &&
           fits(rule_.inverse_cap_high);
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

  void add_block(std::size_t block) {
    score(block);
    if (ask_.keys) size_keys(block);
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
    logit_rule rule = rule_;
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
    run_.weights(rule_for(r, block), terms, work_.scores.high[r], work_.scores.low[r], w);
    row.outside |= w.outside;
    row.dropped |= w.dropped;
    if (row.outside) return;
    if (ask_.weights || ask_.keys) keep(row, block, r, w);
    if (!w.any) return;
    value_row part = row.mass.add(w);
    part.sums = work_.sums_of(r);
    part.errors = w.errors;
    seen.push_back(part);
    if (ask_.magnitudes) add_magnitudes(block, r, w, part);
  }

  double bias_of(const row_state& row, std::int64_t j) const {
    return problem_.bias->at(row.place.b, row.place.h, row.place.i, j);
  }

  // The bias of a row in a block, and -inf for keys that it doesn't see.
  logit_terms terms_of(row_state& row, std::int64_t first) {
    const auto last = first + static_cast<std::int64_t>(block_keys);
    const bool whole = row.visible.first <= first && last <= row.visible.last;
    if (whole && !problem_.mask && !problem_.bias) return {};
    bool all_kept = true;
    for (std::size_t n = 0; n < block_keys; ++n) {
      const std::int64_t j = first + static_cast<std::int64_t>(n);
      const bool kept = row.visible.holds(j) && admits(problem_, row.place, j);
      all_kept &= kept;
      work_.removed[n] = kept ? 0 : minus_infinity;
      work_.bias[n] =
          kept && problem_.bias ? problem_.bias->at(row.place.b, row.place.h, row.place.i, j) : 0;
    }
    return {problem_.bias ? work_.bias : nullptr, all_kept ? nullptr : work_.removed};
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
    if (ask_.keys) sum_products(r, copy);
  }

  // The sizes of the current block's keys, in the order of packed keys.
  void size_keys(std::size_t block) {
    const auto width = static_cast<std::size_t>(problem_.dims.width);
    work_.key_elements.assign(block_keys * width, 0);
    for (const packed_slice& k : head_.keys[block])
      for (std::size_t n = 0; n < block_keys * width; ++n) work_.key_elements[n] += k.values[n];
    for (double& element : work_.key_elements) element = std::fabs(element);
  }

  double raise_of_sums() const {
    return 1 + static_cast<double>(2 * problem_.dims.width + 4) * 0x1p-52;
  }

  void sum_products(std::size_t r, kept_block& copy) const {
    const auto width = static_cast<std::size_t>(problem_.dims.width);
    std::fill(copy.products, copy.products + block_keys, 0.0);
    std::fill(copy.key_sizes, copy.key_sizes + block_keys, 0.0);
    const double* k = work_.key_elements.data();
    for (std::size_t j = 0; j < block_keys; j += key_group)
      for (std::size_t t = 0; t < width; ++t, k += key_group) {
        const double q = work_.query_elements[r * width + t];
        for (std::size_t n = 0; n < key_group; ++n) {
          copy.products[j + n] += q * k[n];
          copy.key_sizes[j + n] += k[n];
        }
      }
    for (double& x : copy.products) x *= raise_of_sums();
    for (double& x : copy.key_sizes) x *= raise_of_sums();
  }

  // sum |q_t|, rounded up.
  double query_size(std::size_t r) const {
    const auto width = static_cast<std::size_t>(problem_.dims.width);
    double sum = 0;
    for (std::size_t t = 0; t < width; ++t) sum += work_.query_elements[r * width + t];
    return sum * raise_of_sums();
  }

  void size_queries() {
    const std::size_t count = rows_.size() * static_cast<std::size_t>(problem_.dims.width);
    work_.query_elements.assign(count, 0);
    for (const packed_slice& q : queries_.slices)
      for (std::size_t n = 0; n < count; ++n) work_.query_elements[n] += q.values[n];
    for (double& element : work_.query_elements) element = std::fabs(element);
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
  static bool ends_outside(const row_state& row) {
    if (row.outside || !row.mass.any()) return true;
    if (!(row.mass.radius() < most_relative_radius * row.mass.mass().hi)) return true;
    return row.dropped && row.mass.power() < least_power_beside_dropped;
  }

  certified_row end_of(std::size_t r) {
    row_state& row = rows_[r];
    certified_row result;
    result.place = row.place;
    result.row.output.reserve(static_cast<std::size_t>(problem_.dims.value_width));
    const bool sink = !problem_.sink.empty();
    const double logit = sink ? problem_.sink[static_cast<std::size_t>(row.place.h)] : 0;
    const bool fits = std::fabs(logit) <= most_logit;
    const int power = row.mass.power();
    const bool any = row.mass.any();
    if (sink && fits) row.mass.add_sink(logit);
    result.outside = !fits || ends_outside(row);
    if (result.outside) return result;
    // The values' sums are over 2^power, the mass over another where a sink has raised it.
    const int fall = any ? power - row.mass.power() : 0;
    const double factor = fall < -least_power ? 0 : power_of_two(fall);
    put_values(r, factor, result);
    const enclosure lse = row.mass.log();
    result.row.lse = problem_.rules.base == lse_base::two ? in_base_2(lse) : lse;
    if (ask_.weights) put_weights(row, result);
    if (ask_.keys) put_keys(r, lse, result.row);
    return result;
  }

  static enclosure inverse_mass(const row_state& row) {
    const double_double m = row.mass.mass();
    return inverse({m.hi, m.lo, row.mass.radius()});
  }

  void put_values(std::size_t r, double factor, certified_row& result) {
    const row_state& row = rows_[r];
    const value_sums sums = work_.sums_of(r);
    const enclosure inverse = inverse_mass(row);
    const double blocks = static_cast<double>(head_.keys.size());
    const double many = raise + (run_.quick ? blocks / 64 : blocks * blocks * blocks * 0x1p-53);
    const double lost = row.mass.lost() + (row.dropped ? negligible : 0);
    for (std::size_t d = 0; d < static_cast<std::size_t>(problem_.dims.value_width); ++d) {
      const double_double sum = renormalised(sums.part[0][d], sums.part[1][d], sums.part[2][d]);
      const double radius = many * (factor * sums.radius[d] + lost * head_.largest[d]);
      result.row.output.push_back(product({factor * sum.hi, factor * sum.lo, radius}, inverse));
      if (ask_.magnitudes)
        result.magnitudes.push_back(
            raise * (factor * work_.magnitudes[r * head_.columns + d] + radius) * inverse.high);
    }
  }

  bool keeps(const row_state& row, std::size_t j) const {
    const auto key = static_cast<std::int64_t>(j);
    return row.visible.holds(key) && admits(problem_, row.place, key);
  }

  void put_weights(const row_state& row, certified_row& result) const {
    const enclosure inverse = inverse_mass(row);
    result.weights.resize(static_cast<std::size_t>(problem_.dims.keys));
    for (std::size_t j = 0; j < result.weights.size(); ++j)
      if (keeps(row, j)) result.weights[j].radius = 2 * negligible;  // over a mass of at least 1/2
    for (const kept_block& block : row.kept) {
      const double factor = factor_of(row, block);
      const double radius = factor * (block.error + weight_rounding) + negligible;
      const std::size_t first = block.block * block_keys;
      for (std::size_t n = 0; n < block_keys; ++n) {
        if (!keeps(row, first + n)) continue;
        const double_double w = two_sum(block.high[n] * factor, block.low[n] * factor);
        result.weights[first + n] = product({w.hi, w.lo, radius}, inverse);
      }
    }
  }

  // The power of two by which the weights of a block count in the row's mass.
  static double factor_of(const row_state& row, const kept_block& block) {
    const int fall = block.power - row.mass.power();
    return !block.any || fall < -least_power ? 0 : power_of_two(fall);
  }

  void put_keys(std::size_t r, const enclosure& lse, exact_row& result) const {
    const row_state& row = rows_[r];
    result.scale = std::fabs(rule_.scale_high);
    double_double greatest{minus_infinity, 0};
    for (const kept_block& block : row.kept) put_block_keys(r, block, lse.high, result, greatest);
    if (!problem_.sink.empty()) {
      const double sink = problem_.sink[static_cast<std::size_t>(row.place.h)];
      put_key({.key = sink_key,
               .logit = sink,
               .capped = std::fabs(sink),
               .weight = exp_double(sink - lse.high)},
              0, result, greatest);
    }
    result.greatest = greatest.hi;
    result.log_mass = std::max(0.0, (lse.high - greatest.hi) + (lse.low - greatest.lo));
    for (exact_key& key : result.keys)
      key.gap = std::max(0.0, (greatest.hi - key.logit) + (greatest.lo - key.gap));
  }

  // gap holds the low part of the logit until the greatest is known.
  static void put_key(exact_key key, double low, exact_row& result, double_double& greatest) {
    key.gap = low;
    if (greatest.hi < key.logit || (greatest.hi == key.logit && greatest.lo < low))
      greatest = {key.logit, low};
    result.keys.push_back(key);
  }

  void put_block_keys(std::size_t r, const kept_block& block, double lse, exact_row& result,
                      double_double& greatest) const {
    const row_state& row = rows_[r];
    const double factor = factor_of(row, block) / row.mass.mass().hi, size = query_size(r);
    const bool bias_apart = problem_.bias && problem_.rules.cap == cap_order::before_bias;
    for (std::size_t n = 0; n < block_keys; ++n) {
      const std::size_t j = block.block * block_keys + n;
      if (!keeps(row, j)) continue;
      const double t = block.logit_high[n], low = block.logit_low[n];
      const auto key = static_cast<std::int64_t>(j);
      const double bias = problem_.bias ? bias_of(row, key) : 0;
      const double weight = (block.high[n] + block.low[n]) * factor;
      put_key({.key = key,
               .logit = t,
               .capped = std::fabs(bias_apart ? (t - bias) + low : t),
               .bias = std::fabs(bias),
               .magnitude = result.scale * block.products[n],
               .unscaled = block.products[n],
               .operands = size + block.key_sizes[n],
               .weight = weight > 0 ? weight : exp_double(t - lse)},
              low, result, greatest);
    }
  }

  const problem& problem_;
  const packed_head& head_;
  packed_queries queries_;
  const wanted& ask_;
  const stages& run_;
  logit_rule rule_;
  std::vector<row_state> rows_;
  workspace work_;
};

bool is_power_of_two(const double_double& x) {
  int exponent = 0;
  return x.lo == 0 && std::fabs(std::frexp(x.hi, &exponent)) == 0.5;
}

}  // namespace

logit_rule rule_of(const problem& p) {
  const double_double c = nearest_scale(p);
  logit_rule rule{.scale_high = c.hi, .scale_low = c.lo};
  rule.scale_error = is_power_of_two(c) ? 0 : product_error;
  rule.cap = p.soft_cap;
  rule.cap_last = p.rules.cap == cap_order::after_bias;
  rule.weight_error = exponential_error;
  if (rule.cap > 0) {
    const double_double inverse = nearest_inverse(rule.cap);
    rule.inverse_cap_high = inverse.hi;
    rule.inverse_cap_low = inverse.lo;
    rule.weight_error += rule.cap * (tanh_error + cap_error);
  }
  return rule;
}

std::vector<certified_row> certify_tile(const problem& p, const packed_head& head,
                                        const row_index& first, std::size_t rows, const wanted& ask,
                                        const stages& run) {
  return tile(p, head, first, rows, ask, run).certify();
}

}  // namespace attest
