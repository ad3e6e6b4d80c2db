#include "properties/level_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "reference/elementary/double_double.h"
#include "reference/elementary/elementary.h"
#include "reference/random.h"

namespace attest {
namespace {

enum stream : std::uint64_t {
  zero_kind = 256,
  faint_kind,
  faint_counts,
  faint_places,
  kept_counts,
  kept_places,
  lengths_kept,
  value_sizes,
};

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double faint_bias = -4096;  // a number of every format of a bias
constexpr double lead_of_q = 128;     // of every input format

// The draws of one problem.
class draws {
 public:
  explicit draws(std::uint64_t seed) : seed_(seed) {}

  std::uint64_t below(std::uint64_t n, stream use, std::uint64_t number = 0) const {
    return random_below(seed_, use, number, n);
  }
  // A power of two, at most n. Domain: n > 0.
  std::int64_t power_within(std::int64_t n, stream use, std::uint64_t number) const {
    std::uint64_t powers = 0;
    while (n >> (powers + 1) != 0) ++powers;
    return std::int64_t{1} << below(powers + 1, use, number);
  }

 private:
  std::uint64_t seed_;
};

std::uint64_t place_number(const index4& i) {
  return (static_cast<std::uint64_t>(i[0]) << 52) ^ (static_cast<std::uint64_t>(i[1]) << 42) ^
         (static_cast<std::uint64_t>(i[2]) << 20) ^ static_cast<std::uint64_t>(i[3]);
}

// --- Scores of 0 ---

// No coordinate is other than 0 in both q and k.
void clear_scores(problem& p, const draws& d) {
  const std::uint64_t kind = d.below(3, zero_kind);
  const auto clears_q = [&](std::int64_t t) { return kind == 0 || (kind == 2 && t % 2 == 0); };
  for_each_index(p.q.sizes(), [&](const index4& i) {
    if (clears_q(i[3])) p.q.set(i, 0);
  });
  for_each_index(p.k.sizes(), [&](const index4& i) {
    if (!clears_q(i[3])) p.k.set(i, 0);
  });
}

double scale_of(const problem& p) { return p.scale_or_usual(); }

// What a faint key has in the first coordinate, where every query has lead_of_q: the scaled score
// is -1,024 to -2,048. 0 where the scale or the cap is too small for that.
double lead_of_faint_k(const problem& p) {
  constexpr double least_gap = 1024, least_scale = 0.0625;
  const double c = scale_of(p);
  if (p.soft_cap > 0 || std::fabs(c) < least_scale) return 0;
  double lead = 1 / lead_of_q;
  while (lead * lead_of_q * std::fabs(c) < least_gap) lead *= 2;
  return c < 0 ? lead : -lead;
}

std::int64_t coprime_step(std::int64_t n, std::uint64_t choice) {
  constexpr std::int64_t steps[] = {1, 3, 5, 7};
  const std::int64_t step = steps[choice % 4];
  return std::gcd(step, n) == 1 ? step : 1;
}

// All but so many keys as make a power of two with the sink. Of positions alone, so that in a
// layout with one batch row for all it is the same in each. The first key counts: a row of faint
// keys alone is not exact.
bool is_drawn_faint(const problem& p, const draws& d, std::int64_t key) {
  const std::int64_t sink = p.sink.empty() ? 0 : 1;
  const std::int64_t counting = d.power_within(p.dims.keys + sink, faint_counts, 0) - sink;
  const std::int64_t step = coprime_step(p.dims.keys, d.below(4, faint_places));
  return key * step % p.dims.keys >= std::max<std::int64_t>(counting, 1);
}

void make_faint_by_k(problem& p, const draws& d) {
  const double lead = lead_of_faint_k(p);
  for_each_index(p.q.sizes(), [&](const index4& i) {
    if (i[3] == 0) p.q.set(i, lead_of_q);
  });
  for_each_index(p.k.sizes(), [&](const index4& i) {
    if (i[3] == 0) p.k.set(i, is_drawn_faint(p, d, i[2]) ? lead : 0);
  });
}

// --- Which keys are kept ---

// 2^n of the keys, spread or side by side; where the mask does not vary along the keys, all, or in
// one row of eight none.
void level_mask(problem& p, unsigned axes, const draws& d) {
  const bool along_keys = (axes >> 3 & 1) != 0;
  const auto keys = static_cast<std::uint64_t>(p.dims.keys);
  for_each_index(p.dims.score_sizes(), [&](const index4& i) {
    index4 row = i;
    for (unsigned axis = 0; axis < 4; ++axis)
      if ((axes >> axis & 1) == 0 || axis == 3) row[axis] = 0;
    const std::uint64_t number = place_number(row);
    const std::uint64_t choice = d.below(8 * keys, kept_places, number);
    const std::int64_t first = static_cast<std::int64_t>(choice / 8);
    const std::int64_t rank = (i[3] * coprime_step(p.dims.keys, choice) + first) % p.dims.keys;
    const bool kept =
        along_keys ? rank < d.power_within(p.dims.keys, kept_counts, number) : choice % 8 != 0;
    p.mask->set(i, kept);
  });
}

// What does not remove its key becomes 0, or makes the key faint.
void level_bias(problem& p, bool faint, const draws& d) {
  for_each_index(p.dims.score_sizes(), [&](const index4& i) {
    if (p.bias->at(i) <= -largest_finite(p.bias->element())) return;  // read as -inf by some
    p.bias->set(i, faint && is_drawn_faint(p, d, i[3]) ? faint_bias : 0);
  });
}

void level_lengths(problem& p, const draws& d) {
  for (std::size_t b = 0; b < p.lengths.size() && p.dims.keys > 0; ++b)
    p.lengths[b] = d.power_within(p.dims.keys, lengths_kept, b);
}

// --- Values ---

// +-1 or +-2 at every columns-th key, of the sign that keeps the sum so far near 0.
void balance_values(problem& p, const draws& d, std::int64_t b, std::int64_t g,
                    std::int64_t columns) {
  std::vector<double> sums(static_cast<std::size_t>(columns));
  for (std::int64_t j = 0; j < p.dims.keys; ++j)
    for (std::int64_t column = 0; column < columns; ++column) {
      double& sum = sums[static_cast<std::size_t>(column)];
      const auto place = place_number({b, g, j, 0});
      const double size = 1 + static_cast<double>(d.below(2, value_sizes, place));
      const double value = j % columns != column ? 0 : sum > 0 ? -size : size;
      p.v.set({b, g, j, column}, value);
      sum += value;
    }
}

void level_values(problem& p, const draws& d, bool shared) {
  const std::int64_t last = p.dims.value_width - 1;
  const std::int64_t columns = std::max<std::int64_t>(last, 1);
  for (std::int64_t b = 0; b < (shared ? std::min<std::int64_t>(p.dims.batch, 1) : p.dims.batch);
       ++b)
    for (std::int64_t g = 0; g < p.dims.kv_heads; ++g) {
      balance_values(p, d, b, g, columns);
      for (std::int64_t j = 0; j < p.dims.keys && last > 0; ++j) p.v.set({b, g, j, last}, 1);
    }
}

}  // namespace

level_problem make_level_problem(const problem_spec& spec) {
  const draws d(spec.seed);
  level_problem level{materialise(spec)};
  problem& p = level.posed;
  const bool faint = d.below(2, faint_kind) == 0;
  const bool bias_comes_last = !p.rules.caps_bias() || p.soft_cap == 0;
  const bool faint_by_bias = faint && p.bias && bias_comes_last;
  level.faint_by_k = faint && !faint_by_bias && lead_of_faint_k(p) != 0;
  clear_scores(p, d);
  if (level.faint_by_k) make_faint_by_k(p, d);
  if (p.mask && p.dims.keys > 0) level_mask(p, *spec.mask_axes, d);
  if (p.bias) level_bias(p, faint_by_bias, d);
  level_lengths(p, d);
  std::fill(p.sink.begin(), p.sink.end(), 0.0);
  level_values(p, d, spec.placed == layout::shared);
  return level;
}

bool level_problem::is_faint(const row_index& row, std::int64_t key) const {
  const double bias = posed.bias ? posed.bias->at({row.b, row.h, row.i, key}) : 0;
  if (bias <= faint_bias) return true;
  return faint_by_k && posed.k.at(row.b, posed.kv_head(row.h), key, 0) != 0;
}

level_answer count_level_row(const level_problem& level, const row_index& row) {
  const problem& p = level.posed;
  const auto width = static_cast<std::size_t>(p.dims.value_width);
  level_answer a{{p.sink.empty() ? 0.0 : 1.0, 0}, std::vector<integer_column>(width), {}};
  std::vector<double> values(width), least(width, infinity), most(width, -infinity);
  if (!p.sink.empty()) least.assign(width, 0), most.assign(width, 0);
  for (const std::int64_t key : key_set(p, row)) {
    const bool faint = level.is_faint(row, key);
    (faint ? a.row.faint : a.row.keys) += 1;
    p.v.read(row.b, p.kv_head(row.h), key, values);
    for (std::size_t d = 0; d < width; ++d) {
      integer_column& column = a.columns[d];
      const double z = values[d];
      (faint ? column.faint_size : column.size) += std::fabs(z);
      if (faint) continue;
      column.sum += z;
      column.terms += z != 0 ? 1 : 0;
      least[d] = std::min(least[d], z);
      most[d] = std::max(most[d], z);
    }
  }
  for (std::size_t d = 0; d < width; ++d) {
    const double o = a.columns[d].sum / a.row.keys;
    a.hull.push_back(std::max(most[d] - o, o - least[d]));
  }
  return a;
}

enclosure level_output(const level_answer& a, std::size_t column) {
  const double sum = a.columns[column].sum, n = a.row.keys, high = sum / n;
  const double_double back = two_product(high, n);
  const double low = ((sum - back.hi) - back.lo) / n;
  const bool only_nearly = a.row.faint > 0 && (sum != 0 || a.columns[column].faint_size > 0);
  return {high, low, 0x1p-100 * std::fabs(high) + (only_nearly ? smallest_subnormal(f64) : 0)};
}

enclosure level_lse(const level_row& row, lse_base base) {
  const double power = log2_double(row.keys);
  const double faint = row.faint > 0 ? smallest_subnormal(f64) : 0;
  if (base == lse_base::two) return {power, 0, faint};
  const double_double x = fast_two_sum(power * ln2.hi, power * ln2.lo);
  return {x.hi, x.lo, 0x1p-85 * power + faint};
}

}  // namespace attest
