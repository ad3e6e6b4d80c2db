#include "tests/second_opinion/arb_attention.h"

#include <algorithm>
#include <limits>

namespace attest::second_opinion {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The keys first, ..., past - 1.
struct key_range {
  std::int64_t first = 0;
  std::int64_t past = 0;

  void starts_at(std::int64_t j) { first = std::max(first, j); }
  void ends_before(std::int64_t j) { past = std::min(past, j); }
};

std::int64_t length_of(const problem& p, std::int64_t b) {
  return p.lengths.empty() ? p.dims.keys : p.lengths.at(static_cast<std::size_t>(b));
}

// Where query i stands among the keys. Only an anchor at the bottom right moves it: the last query
// then stands on the last valid key.
std::int64_t position_of(const problem& p, const row_place& row) {
  if (p.causal != causal_anchor::bottom_right) return row.i;
  const std::int64_t queries_after = p.dims.queries - 1 - row.i;
  return length_of(p, row.b) - 1 - queries_after;
}

// What lengths, causality and window leave: they are all intervals.
key_range range_of(const problem& p, const row_place& row) {
  key_range range{0, length_of(p, row.b)};
  const std::int64_t position = position_of(p, row);
  if (p.causal != causal_anchor::none) range.ends_before(position + 1);
  const bool ends_count = p.rules.ends == window_ends::inclusive;
  if (p.sliding.left >= 0) range.starts_at(position - p.sliding.left + (ends_count ? 0 : 1));
  if (p.sliding.right >= 0) range.ends_before(position + p.sliding.right + (ends_count ? 1 : 0));
  return range;
}

bool bias_masks(const problem& p, const index4& cell) {
  if (!p.bias) return false;
  const double bias = p.bias->at(cell), lowest = -largest_finite(p.bias->element());
  return bias == -infinity || (p.rules.on_lowest_bias == lowest_bias::masks && bias == lowest);
}

// Whether a mask or a bias takes the key away; a soft cap after both brings it back, as -cap.
bool is_masked(const problem& p, const row_place& row, std::int64_t j) {
  const index4 cell{row.b, row.h, row.i, j};
  return (p.mask && !p.mask->at(cell)) || bias_masks(p, cell);
}

bool brings_back(const problem& p) {
  return p.rules.cap == cap_order::after_mask && p.soft_cap > 0;
}

// How many whole chunks lie before a position; those before 0 count down.
std::int64_t chunk_of(std::int64_t position, std::int64_t size) {
  std::int64_t chunk = 0;
  while (position < chunk * size) --chunk;
  while (position >= (chunk + 1) * size) ++chunk;
  return chunk;
}

bool within_pattern(const problem& p, const row_place& row, std::int64_t j) {
  const key_pattern& by = p.pattern;
  const std::int64_t position = position_of(p, row),
                     distance = std::max(position - j, j - position);
  if (distance % by.dilation != 0) return false;
  if (by.chunk > 0 && chunk_of(position, by.chunk) != chunk_of(j, by.chunk)) return false;
  return !p.block_mask ||
         p.block_mask->at({row.b, row.h, row.i / by.block_queries, j / by.block_keys});
}

bool of_one_segment(const problem& p, const row_place& row, std::int64_t j) {
  if (p.query_segments.empty()) return true;
  const auto segment = [&](const std::vector<std::int64_t>& all, std::int64_t length,
                           std::int64_t l) {
    return all.at(static_cast<std::size_t>(row.b * length + l));
  };
  return segment(p.query_segments, p.dims.queries, row.i) ==
         segment(p.key_segments, p.dims.keys, j);
}

// All but masks and biases.
std::vector<std::int64_t> placed_keys(const problem& p, const row_place& row) {
  std::vector<std::int64_t> keys;
  const key_range range = range_of(p, row);
  key_range all{0, length_of(p, row.b)};
  if (p.causal != causal_anchor::none) all.ends_before(position_of(p, row) + 1);
  for (std::int64_t j = all.first; j < all.past; ++j) {
    const bool near = range.first <= j && j < range.past && within_pattern(p, row, j);
    if ((near || j < p.pattern.global_keys) && of_one_segment(p, row, j)) keys.push_back(j);
  }
  return keys;
}

std::vector<std::int64_t> kept_keys(const problem& p, const row_place& row) {
  std::vector<std::int64_t> keys = placed_keys(p, row);
  if (!brings_back(p)) std::erase_if(keys, [&](std::int64_t j) { return is_masked(p, row, j); });
  return keys;
}

// Whether a row without keys has one that only a bias of -inf, with weight 0, speaks against.
bool divides_0_by_0(const problem& p, const row_place& row) {
  bool found = false;
  for (const std::int64_t j : placed_keys(p, row))
    found = found || !p.mask || p.mask->at({row.b, row.h, row.i, j});
  return found && p.rules.on_infinite_bias == infinite_bias::weighs_0;
}

std::int64_t serving_head(const problem& p, std::int64_t h) {
  if (p.rules.heads == head_map::tile) return h % p.dims.kv_heads;
  const std::int64_t sharers = p.dims.query_heads / p.dims.kv_heads;
  return h / sharers;
}

// What all keys of a row share.
struct row_work {
  const problem& p;
  row_place place;
  long precision;
  std::int64_t kv = 0;
  ball scale;
  std::vector<ball> query;
};

std::vector<ball> vector_of(const tensor& t, std::int64_t b, std::int64_t h, std::int64_t l) {
  std::vector<ball> x;
  for (std::int64_t d = 0; d < t.sizes()[3]; ++d) x.emplace_back(t.at(b, h, l, d));
  return x;
}

row_work start_row(const problem& p, const row_place& place, long precision) {
  row_work work{p, place, precision, serving_head(p, place.h), {}, {}};
  if (p.scale)
    work.scale = ball(*p.scale);
  else
    arb_rsqrt_ui(work.scale.get(), static_cast<ulong>(p.dims.width), precision);
  work.query = vector_of(p.q, place.b, place.h, place.i);
  return work;
}

void apply_soft_cap(ball& score, const row_work& work) {
  const ball cap(work.p.soft_cap);
  if (!(work.p.soft_cap > 0)) return;
  arb_div(score.get(), score.get(), cap.get(), work.precision);
  arb_tanh(score.get(), score.get(), work.precision);
  arb_mul(score.get(), score.get(), cap.get(), work.precision);
}

// Slope times j - position, or times minus the distance.
ball sloped(const row_work& work, std::int64_t j) {
  const std::int64_t position = position_of(work.p, work.place);
  const bool is_signed = work.p.rules.distance == alibi_distance::signed_distance;
  ball term(work.p.slopes.at(static_cast<std::size_t>(work.place.h)));
  arb_mul_si(term.get(), term.get(), is_signed || j < position ? j - position : position - j,
             work.precision);
  return term;
}

void add_bias(ball& score, const row_work& work, std::int64_t j) {
  ball bias;
  if (work.p.bias)
    bias = ball(work.p.bias->at(work.place.b, work.place.h, work.place.i, j));
  else if (!work.p.slopes.empty())
    bias = sloped(work, j);
  else
    return;
  arb_add(score.get(), score.get(), bias.get(), work.precision);
}

ball logit(const row_work& work, std::int64_t j) {
  if (brings_back(work.p) && is_masked(work.p, work.place, j)) return ball(-work.p.soft_cap);
  const std::vector<ball> key = vector_of(work.p.k, work.place.b, work.kv, j);
  ball score;
  arb_dot(score.get(), nullptr, 0, start_of(work.query), 1, start_of(key), 1, work.p.dims.width,
          work.precision);
  arb_mul(score.get(), score.get(), work.scale.get(), work.precision);
  const bool cap_last = work.p.rules.cap != cap_order::before_bias;
  if (!cap_last) apply_soft_cap(score, work);
  add_bias(score, work, j);
  if (cap_last) apply_soft_cap(score, work);
  return score;
}

ball exponential(const ball& x, long precision) {
  ball y;
  arb_exp(y.get(), x.get(), precision);
  return y;
}

// What dropout leaves of v, times its scale: exactly.
ball left_of(const row_work& work, std::int64_t j, const ball& v) {
  const problem& p = work.p;
  ball left;
  if (!p.dropout_mask->at({work.place.b, work.place.h, work.place.i, j})) return left;
  const ball scale(p.dropout_scale);
  arb_mul(left.get(), v.get(), scale.get(), ARF_PREC_EXACT);
  return left;
}

// v of some keys, or what dropout leaves of it, key after key.
std::vector<ball> values_of(const row_work& work, const std::vector<std::int64_t>& keys) {
  std::vector<ball> values;
  for (std::int64_t j : keys)
    for (ball& v : vector_of(work.p.v, work.place.b, work.kv, j))
      values.push_back(work.p.dropout_mask ? left_of(work, j, v) : std::move(v));
  return values;
}

std::vector<ball> absolute(std::vector<ball> values) {
  for (ball& v : values) arb_abs(v.get(), v.get());
  return values;
}

// (sum_j shares_j values_jd) / whole for every column d.
std::vector<ball> averages(const row_work& work, const std::vector<ball>& shares,
                           const std::vector<ball>& values, const ball& whole) {
  const auto width = static_cast<std::size_t>(work.p.dims.value_width);
  std::vector<ball> columns(width);
  for (std::size_t d = 0; d < width && !shares.empty(); ++d)
    arb_dot(columns[d].get(), nullptr, 0, start_of(shares), 1, values[d].get(),
            static_cast<slong>(width), static_cast<slong>(shares.size()), work.precision);
  for (ball& x : columns) arb_div(x.get(), x.get(), whole.get(), work.precision);
  return columns;
}

void fill_averages(const row_work& work, const std::vector<std::int64_t>& keys,
                   const std::vector<ball>& shares, const ball& whole, ball_row& row) {
  std::vector<ball> values = values_of(work, keys);
  row.output = averages(work, shares, values, whole);
  row.magnitudes = averages(work, shares, absolute(std::move(values)), whole);
}

ball lse_of_empty_row(const semantics& rules) {
  return ball(rules.on_empty_lse == empty_lse::plus_infinity ? infinity : -infinity);
}

// What the semantics gives a row without a key and without a sink.
void fill_empty_row(const row_work& work, ball_row& row) {
  const semantics& rules = work.p.rules;
  const auto width = static_cast<std::size_t>(work.p.dims.value_width);
  row.empty = true;
  row.sums_nothing = true;
  row.lse = lse_of_empty_row(rules);
  row.output.resize(width);
  row.magnitudes.resize(width);
  const bool nan = rules.on_empty_row == empty_row::nan || divides_0_by_0(work.p, work.place);
  if (nan) row.output.assign(width, ball(std::numeric_limits<double>::quiet_NaN()));
  if (nan || rules.on_empty_row != empty_row::mean_of_values || work.p.dims.keys == 0) return;
  std::vector<std::int64_t> all;
  while (static_cast<std::int64_t>(all.size()) < work.p.dims.keys)
    all.push_back(static_cast<std::int64_t>(all.size()));
  const std::vector<ball> ones(all.size(), ball(1));
  fill_averages(work, all, ones, ball(static_cast<double>(all.size())), row);
}

std::vector<ball> quotients(const std::vector<ball>& x, const ball& y, long precision) {
  std::vector<ball> result(x.size());
  for (std::size_t n = 0; n < x.size(); ++n)
    arb_div(result[n].get(), x[n].get(), y.get(), precision);
  return result;
}

ball log_of_mass(const row_work& work, const ball& mass) {
  ball lse, ln2;
  arb_log(lse.get(), mass.get(), work.precision);
  if (work.p.rules.base == lse_base::e) return lse;
  arb_const_log2(ln2.get(), work.precision);
  arb_div(lse.get(), lse.get(), ln2.get(), work.precision);
  return lse;
}

void fill_row(const row_work& work, ball_row& row) {
  std::vector<ball> exponentials;
  for (std::int64_t j : row.keys)
    exponentials.push_back(exponential(logit(work, j), work.precision));
  ball of_keys, sink;
  if (!work.p.sink.empty())
    sink = exponential(work.p.sink[static_cast<std::size_t>(work.place.h)], work.precision);
  for (const ball& e : exponentials) arb_add(of_keys.get(), of_keys.get(), e.get(), work.precision);
  ball mass;
  arb_add(mass.get(), of_keys.get(), sink.get(), work.precision);
  row.weights = quotients(exponentials, mass, work.precision);
  const bool sink_counts = work.p.rules.sink == lse_sink::included;
  row.lse = sink_counts || !row.keys.empty() ? log_of_mass(work, sink_counts ? mass : of_keys)
                                             : lse_of_empty_row(work.p.rules);
  row.sums_nothing = !sink_counts && row.keys.empty();
  fill_averages(work, row.keys, exponentials, mass, row);
}

}  // namespace

ball_row arb_attention(const problem& p, const row_place& place, long precision) {
  const row_work work = start_row(p, place, precision);
  ball_row row;
  row.keys = kept_keys(p, place);
  if (row.keys.empty() && p.sink.empty())
    fill_empty_row(work, row);
  else
    fill_row(work, row);
  return row;
}

}  // namespace attest::second_opinion
