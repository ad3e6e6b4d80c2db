#include "reference/certified/row_state.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/certified/budget.h"
#include "reference/definition/bias.h"
#include "reference/elementary/elementary.h"
#include "reference/formats/format.h"

namespace attest {
namespace {

bool keeps(const problem& p, const row_state& row, std::size_t j) {
  const auto key = static_cast<std::int64_t>(j);
  return row.visible.holds(key) && admits(p, row.place, key);
}

// The power of two by which the weights of a block count in the row's mass.
double factor_of(const row_state& row, const kept_block& block) {
  const int fall = block.power - row.mass.power();
  return !block.any || fall < -least_power ? 0 : power_of_two(fall);
}

// Keys in their order, with the low parts of their logits in `gap` until the greatest is known.
class key_list {
 public:
  explicit key_list(exact_row& row) : row_(row) {}

  void put(exact_key key, double low) {
    if (greatest_.hi < key.logit || (greatest_.hi == key.logit && greatest_.lo < low))
      greatest_ = {key.logit, low};
    key.gap = low;
    row_.keys.push_back(key);
  }

  void finish(const enclosure& lse) {
    row_.greatest = greatest_.hi;
    row_.log_mass = std::max(0.0, (lse.high - greatest_.hi) + (lse.low - greatest_.lo));
    for (exact_key& key : row_.keys)
      key.gap = std::max(0.0, (greatest_.hi - key.logit) + (greatest_.lo - key.gap));
  }

 private:
  exact_row& row_;
  double_double greatest_{-std::numeric_limits<double>::infinity(), 0};
};

void put_block(const problem& p, const row_state& row, const kept_block& block, double scale,
               double lse, key_list& keys) {
  const double factor = factor_of(row, block) / row.mass.mass().hi;
  const bool bias_apart = has_bias(p) && !p.rules.caps_bias();
  for (std::size_t n = 0; n < block_keys; ++n) {
    const std::size_t j = block.block * block_keys + n;
    if (!keeps(p, row, j)) continue;
    const auto key = static_cast<std::int64_t>(j);
    const double t = block.logit_high[n], low = block.logit_low[n];
    const double bias = has_bias(p) ? bias_of(p, row.place, key) : 0;
    const double weight = (block.high[n] + block.low[n]) * factor;
    keys.put({.key = key,
              .logit = t,
              .capped = std::fabs(bias_apart ? (t - bias) + low : t),
              .bias = std::fabs(bias),
              .magnitude = scale * block.products[n],
              .unscaled = block.products[n],
              .operands = row.query_size + block.key_sizes[n],
              .weight = weight > 0 ? weight : exp_double(t - lse)},
             low);
  }
}

}  // namespace

enclosure inverse_mass(const row_mass& mass) {
  const double_double m = mass.mass();
  return inverse({m.hi, m.lo, mass.radius()});
}

std::vector<enclosure> weights_of(const problem& p, const row_state& row) {
  const enclosure inverse = inverse_mass(row.mass);
  std::vector<enclosure> weights(static_cast<std::size_t>(p.dims.keys));
  for (std::size_t j = 0; j < weights.size(); ++j)
    if (keeps(p, row, j)) weights[j].radius = 2 * negligible;  // over a mass of at least 1/2
  for (const kept_block& block : row.kept) {
    const double factor = factor_of(row, block);
    const double radius = factor * (block.error + weight_rounding) + negligible;
    const std::size_t first = block.block * block_keys;
    for (std::size_t n = 0; n < block_keys; ++n) {
      if (!keeps(p, row, first + n)) continue;
      const double_double w = two_sum(block.high[n] * factor, block.low[n] * factor);
      weights[first + n] = product({w.hi, w.lo, radius}, inverse);
    }
  }
  return weights;
}

void describe_keys(const problem& p, const row_state& row, double scale, const enclosure& lse,
                   exact_row& result) {
  key_list keys(result);
  result.scale = scale;
  for (const kept_block& block : row.kept) put_block(p, row, block, scale, lse.high, keys);
  if (!p.sink.empty()) {
    const double sink = p.sink[static_cast<std::size_t>(row.place.h)];
    keys.put({.key = sink_key,
              .logit = sink,
              .capped = std::fabs(sink),
              .weight = exp_double(sink - lse.high)},
             0);
  }
  keys.finish(lse);
}

}  // namespace attest
