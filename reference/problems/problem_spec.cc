#include "reference/problems/problem_spec.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/definition/dropout.h"
#include "reference/formats/rounding.h"
#include "reference/input_error.h"
#include "reference/positions/alibi.h"
#include "reference/problems/page_pool.h"
#include "reference/problems/parameters.h"
#include "reference/random.h"
#include "reference/semantics/profiles.h"
#include "reference/text.h"

namespace attest {
namespace {

// Streams of random numbers for everything but q, k and v.
enum stream : std::uint64_t {
  mask_bits = 64,
  mask_density,
  empty_rows,
  bias_values,
  bias_infinities,
  key_lengths,
  sink_values,
  mask_blocks,
  bias_sizes,
  segment_starts,
  block_bits,
  dropout_rows,
  dropout_bits,
  edges_of_lengths,
  segment_packings,
  segment_names,
  places_of_pages = 96,
};

constexpr std::uint64_t gap_fill = ~std::uint64_t{0};  // a NaN in every format
constexpr std::int64_t most_spare_pages = 3;

[[noreturn]] void reject(const std::string& what, const std::string& allowed) {
  throw input_error(what + " (allowed: " + allowed + ")");
}

void require_size(std::int64_t size, const char* name, std::int64_t least) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  if (size < least || size > most)
    reject(std::string(name) + "=" + std::to_string(size), std::to_string(least) + " to 2^40");
}

void require_storage(const index4& sizes, const char* name) {
  constexpr double most = 8589934592.0;  // 2^33
  double elements = 1;
  for (std::int64_t size : sizes) elements *= static_cast<double>(size);
  if (elements > most)
    reject(std::string(name) + " has " + to_text(elements) + " elements", "up to 2^33");
}

void validate_sizes(const shape& s) {
  require_size(s.batch, "B", 0);
  require_size(s.query_heads, "Hq", 1);
  require_size(s.kv_heads, "Hkv", 1);
  require_size(s.queries, "Lq", 0);
  require_size(s.keys, "Lk", 0);
  require_size(s.width, "D", 1);
  require_size(s.value_width, "Dv", 1);
  if (s.query_heads % s.kv_heads != 0)
    reject("Hq=" + std::to_string(s.query_heads) + " with Hkv=" + std::to_string(s.kv_heads),
           "Hq a multiple of Hkv");
  require_storage(s.q_sizes(), "q");
  require_storage(s.k_sizes(), "k");
  require_storage(s.v_sizes(), "v");
  require_storage(s.o_sizes(), "o");
}

// The scale at which regimes of scores aim; where c is 0 there is nothing to aim at.
double aimed_scale(const problem_spec& spec) {
  const double c = spec.scale.value_or(usual_scale(find_profile(spec.profile), spec.dims.width));
  return c == 0 ? 1 : c;
}

tensor make_operand(const problem_spec& spec, operand role, const index4& sizes) {
  const value_source source{spec.regime,     spec.inputs,       spec.dims.keys,
                            spec.dims.width, aimed_scale(spec), spec.seed};
  tensor t(*spec.inputs, place(spec.placed, sizes), gap_fill);
  constexpr rounding saturating{.overflow = overflow_mode::saturate};
  for_each_index(sizes, [&](index4 i) {
    const index4 element = i;
    if (spec.placed == layout::shared) i[0] = 0;
    t.set(element, round_to(*spec.inputs, saturating, regime_value(source, role, i)));
  });
  return t;
}

// The index with the axes that are broadcast set to 0, as one number.
std::uint64_t broadcast_number(index4 i, unsigned axes) {
  for (unsigned k = 0; k < 4; ++k)
    if ((axes >> k & 1) == 0) i[k] = 0;
  return (static_cast<std::uint64_t>(i[0]) << 52) ^ (static_cast<std::uint64_t>(i[1]) << 42) ^
         (static_cast<std::uint64_t>(i[2]) << 20) ^ static_cast<std::uint64_t>(i[3]);
}

// Where keys are kept or removed alone. From the 64th on half of the problems take 64 of them
// together, a whole tile or two halves: the first key of those that share a fate.
std::int64_t first_of_block(const problem_spec& spec, std::int64_t key) {
  constexpr std::int64_t block = 64;
  const bool together = key >= block && random_below(spec.seed, mask_blocks, 0, 2) == 0;
  return together ? key / block * block : key;
}

// One row in eight is empty; the others keep a share of their keys that is drawn once a problem.
bool mask_keeps(const problem_spec& spec, const index4& i) {
  constexpr double shares[] = {0.25, 0.5, 0.875};
  const unsigned axes = *spec.mask_axes;
  const double share = shares[random_below(spec.seed, mask_density, 0, 3)];
  const std::uint64_t row = broadcast_number({i[0], i[1], i[2], 0}, axes);
  if (random_below(spec.seed, empty_rows, row, 8) == 0) return false;
  const index4 place{i[0], i[1], i[2], first_of_block(spec, i[3])};
  return random_unit(spec.seed, mask_bits, broadcast_number(place, axes)) < share;
}

boolean_tensor make_mask(const problem_spec& spec) {
  boolean_tensor mask(broadcast(spec.dims.score_sizes(), *spec.mask_axes));
  for_each_index(spec.dims.score_sizes(),
                 [&](const index4& i) { mask.set(i, mask_keeps(spec, i)); });
  return mask;
}

// N(0, 4), but for outliers, of which one in eight is from N(0, 256^2), and for scores that are all
// far below 0: there so is the bias, where its format has digits left for the rest.
double finite_bias(const problem_spec& spec, std::uint64_t number) {
  constexpr double level = -2e4, lift = 128;
  const double ordinary = 2 * random_normal(spec.seed, bias_values, number);
  if (spec.regime == value_regime::negative_scores && side_format(*spec.inputs).storage_bits >= 32)
    return level + ordinary;
  const bool large =
      spec.regime == value_regime::outliers && random_below(spec.seed, bias_sizes, number, 8) == 0;
  return large ? lift * ordinary : ordinary;
}

double bias_value(const problem_spec& spec, const index4& i) {
  const index4 place{i[0], i[1], i[2], first_of_block(spec, i[3])};
  if (spec.infinite_bias &&
      random_below(spec.seed, bias_infinities, broadcast_number(place, *spec.bias_axes), 4) == 0)
    return -std::numeric_limits<double>::infinity();
  return finite_bias(spec, broadcast_number(i, *spec.bias_axes));
}

tensor make_bias(const problem_spec& spec) {
  const format& element = side_format(*spec.inputs);
  tensor bias(element, broadcast(spec.dims.score_sizes(), *spec.bias_axes), gap_fill);
  for_each_index(spec.dims.score_sizes(),
                 [&](const index4& i) { bias.set(i, round_to(element, {}, bias_value(spec, i))); });
  return bias;
}

// None, one, all but one, or about so many tiles.
std::int64_t length_at_an_edge(const problem_spec& spec, std::uint64_t row) {
  constexpr std::int64_t tile = 64;
  const auto below = [&](std::uint64_t n, std::uint64_t choice) {
    return static_cast<std::int64_t>(
        random_below(spec.seed, edges_of_lengths, 4 * row + choice, n));
  };
  const std::int64_t keys = spec.dims.keys, near = below(3, 1) - 1;
  switch (below(4, 2)) {
    case 0:
      return 0;
    case 1:
      return near > 0 ? 1 : keys - 1;
    default:
      return std::min(keys, tile * (1 + below(static_cast<std::uint64_t>(keys / tile), 3)) + near);
  }
}

// A quarter of the batch rows are full. Of many keys it is the edges that tell paths apart.
std::int64_t key_length(const problem_spec& spec, std::int64_t b) {
  constexpr std::int64_t many_keys = 128;
  const auto row = static_cast<std::uint64_t>(b);
  if (random_below(spec.seed, key_lengths, 2 * row, 4) == 0) return spec.dims.keys;
  if (spec.dims.keys >= many_keys && random_below(spec.seed, edges_of_lengths, 4 * row, 2) == 0)
    return length_at_an_edge(spec, row);
  return static_cast<std::int64_t>(random_below(spec.seed, key_lengths, 2 * row + 1,
                                                static_cast<std::uint64_t>(spec.dims.keys) + 1));
}

// A block in three is left out, and one in four of those of the diagonal.
boolean_tensor make_block_mask(const problem_spec& spec) {
  const index4 sizes = spec.dims.block_sizes(spec.pattern.block_queries, spec.pattern.block_keys);
  boolean_tensor mask(broadcast(sizes, *spec.block_axes));
  for_each_index(sizes, [&](const index4& i) {
    const std::uint64_t one_in = i[2] == i[3] ? 4 : 3;
    mask.set(
        i, random_below(spec.seed, block_bits, broadcast_number(i, *spec.block_axes), one_in) != 0);
  });
  return mask;
}

// How documents are packed: queries and keys in the same ones, or each in ones of their own, named
// in order, in none, or by few names that come again.
enum class packing : std::uint8_t { same, own_starts, any_names, names_again };
constexpr std::uint64_t packing_count = 4;

std::int64_t name_of_segment(const problem_spec& spec, packing how, std::int64_t number,
                             std::uint64_t place) {
  constexpr std::int64_t step = 37, names = 101;
  if (how == packing::any_names) return number * step % names - names / 2;
  if (how == packing::names_again)
    return static_cast<std::int64_t>(random_below(spec.seed, segment_names, place, 3)) - 1;
  return number;
}

// The segment of each position of a batch row: a new one begins at every fifth, by chance.
std::vector<std::int64_t> make_segments(const problem_spec& spec, std::int64_t positions,
                                        std::uint64_t side) {
  constexpr std::uint64_t one_in = 5;
  const auto how =
      static_cast<packing>(random_below(spec.seed, segment_packings, 0, packing_count));
  std::vector<std::int64_t> segments;
  for (std::int64_t b = 0; b < spec.dims.batch; ++b) {
    std::int64_t number = 0, name = 0;
    for (std::int64_t l = 0; l < positions; ++l) {
      const std::uint64_t place = (how == packing::same ? 0 : side << 62) ^
                                  (static_cast<std::uint64_t>(b) << 32) ^
                                  static_cast<std::uint64_t>(l);
      const bool begins = random_below(spec.seed, segment_starts, place, one_in) == 0;
      if (l > 0 && begins) ++number;
      if (l == 0 || begins) name = name_of_segment(spec, how, number, place);
      segments.push_back(name);
    }
  }
  return segments;
}

// In few bits.
std::vector<double> make_slopes(const problem_spec& spec) {
  const format& side = side_format(*spec.inputs);
  const format& element = side.precision > f32.precision ? f32 : side;
  std::vector<double> slopes = alibi_slopes(slope_rule::geometric, spec.dims.query_heads);
  for (double& slope : slopes) slope = round_to(element, {}, slope);
  return slopes;
}

// One row in eight drops every weight, one drops none; the others keep one in `scale` of them.
bool dropout_keeps(const problem_spec& spec, const index4& i) {
  const unsigned axes = *spec.dropout_axes;
  const std::uint64_t row = broadcast_number({i[0], i[1], i[2], 0}, axes);
  const std::uint64_t kind = random_below(spec.seed, dropout_rows, row, 8);
  if (kind < 2) return kind == 0;
  return random_unit(spec.seed, dropout_bits, broadcast_number(i, axes)) * spec.dropout_scale < 1;
}

boolean_tensor make_dropout_mask(const problem_spec& spec) {
  boolean_tensor mask(broadcast(spec.dims.score_sizes(), *spec.dropout_axes));
  for_each_index(spec.dims.score_sizes(),
                 [&](const index4& i) { mask.set(i, dropout_keeps(spec, i)); });
  return mask;
}

void validate_dropout(const problem_spec& spec) {
  if (spec.dropout_axes) require_storage(spec.dims.score_sizes(), "the dropout mask");
  if (!is_dropout_scale(spec.dropout_scale))
    reject("dropout_scale=" + to_text(spec.dropout_scale), "1 to 2^40");
  if (!spec.dropout_axes && spec.dropout_scale != 1)
    reject("dropout_scale=" + to_text(spec.dropout_scale) + " without a mask", "with dropout=AXES");
}

void validate_pattern(const problem_spec& spec) {
  const key_pattern& by = spec.pattern;
  const auto require = [](std::int64_t value, const char* name, std::int64_t least) {
    require_size(value, name, least);
  };
  require(by.dilation, "dilation", 1);
  require(by.chunk, "chunk", 0);
  require(by.global_keys, "global_keys", 0);
  const std::int64_t least_block = spec.block_axes ? 1 : 0;
  require(by.block_queries, "block_queries", least_block);
  require(by.block_keys, "block_keys", least_block);
  if (!spec.block_axes && by.block_queries + by.block_keys != 0)
    reject("blocks without a block mask", "with block_mask=AXES");
  if (spec.block_axes)
    require_storage(spec.dims.block_sizes(by.block_queries, by.block_keys), "the block mask");
  if (spec.alibi && spec.bias_axes) reject("alibi=1 beside a bias", "one of them");
}

void validate_page(const problem_spec& spec) {
  require_size(spec.page, "page", 0);
  if (spec.page == 0) return;
  const std::int64_t pages =
      most_spare_pages + spec.dims.batch * pages_for(spec.dims.keys, spec.page);
  require_storage(
      {pages, spec.dims.kv_heads, spec.page, std::max(spec.dims.width, spec.dims.value_width)},
      "the pool of pages");
}

paging make_paging(const problem_spec& spec) {
  if (spec.page == 0) return {};
  const auto below = [&](std::uint64_t choice, std::int64_t n) {
    return static_cast<std::int64_t>(
        random_below(spec.seed, places_of_pages, choice, static_cast<std::uint64_t>(n)));
  };
  return {.page = spec.page,
          .spare_pages = below(0, most_spare_pages + 1),
          .spare_entries = below(1, 3),
          .order = random_bits(spec.seed, places_of_pages, 2),
          .shares = below(3, 2) == 0,
          .stale = below(4, 4) == 0};
}

}  // namespace

const format& side_format(const format& inputs) {
  return inputs.storage_bits == 8 || inputs == tf32 ? f32 : inputs;
}

void validate(const problem_spec& spec) {
  validate_sizes(spec.dims);
  if (spec.mask_axes || spec.bias_axes) require_storage(spec.dims.score_sizes(), "mask or bias");
  if (spec.sliding.left < -1 || spec.sliding.right < -1)
    reject("window=" + std::to_string(spec.sliding.left) + "," + std::to_string(spec.sliding.right),
           "-1 or more on each side");
  validate_pattern(spec);
  validate_dropout(spec);
  validate_page(spec);
  if (!(spec.soft_cap >= 0) || std::isinf(spec.soft_cap))
    reject("soft_cap=" + to_text(spec.soft_cap), "0 or a positive number");
  if (spec.scale && !std::isfinite(*spec.scale))
    reject("scale=" + to_text(*spec.scale), "a finite number");
  if (spec.infinite_bias && !spec.bias_axes)
    reject("infinite_bias=1 without a bias", "with bias=AXES");
  if (spec.sink && !find_profile(spec.profile).is_softmax())
    reject("sink=1 with profile=" + spec.profile, "a sink with normalizer=softmax alone");
}

bool removes_keys(const problem_spec& s) {
  return s.mask_axes || s.infinite_bias || s.causal != causal_anchor::none || !s.sliding.open() ||
         !s.pattern.open() || s.ragged || s.packed;
}

problem_spec without_patterns(problem_spec spec) {
  spec.sliding = {};
  spec.pattern = {};
  spec.block_axes.reset();
  spec.alibi = false;
  return spec;
}

problem materialise(const problem_spec& spec) {
  problem p;
  p.dims = spec.dims;
  p.rules = find_profile(spec.profile);
  p.q = make_operand(spec, operand::q, spec.dims.q_sizes());
  p.k = make_operand(spec, operand::k, spec.dims.k_sizes());
  p.v = make_operand(spec, operand::v, spec.dims.v_sizes());
  if (spec.mask_axes) p.mask = make_mask(spec);
  if (spec.bias_axes) p.bias = make_bias(spec);
  for (std::int64_t b = 0; spec.ragged && b < spec.dims.batch; ++b)
    p.lengths.push_back(key_length(spec, b));
  for (std::int64_t h = 0; spec.sink && h < spec.dims.query_heads; ++h)
    p.sink.push_back(
        round_to(side_format(*spec.inputs), {},
                 2 * random_normal(spec.seed, sink_values, static_cast<std::uint64_t>(h))));
  p.causal = spec.causal;
  p.sliding = spec.sliding;
  p.pattern = spec.pattern;
  if (spec.block_axes) p.block_mask = make_block_mask(spec);
  if (spec.packed) p.query_segments = make_segments(spec, spec.dims.queries, 0);
  if (spec.packed) p.key_segments = make_segments(spec, spec.dims.keys, 1);
  if (spec.alibi) p.slopes = make_slopes(spec);
  p.scale = spec.scale;
  p.soft_cap = spec.soft_cap;
  draw_parameters(p, *spec.inputs, spec.seed);
  if (spec.dropout_axes) p.dropout_mask = make_dropout_mask(spec);
  p.dropout_scale = spec.dropout_scale;
  p.paged = make_paging(spec);
  p.answer_layout = spec.placed == layout::shared ? layout::bhld : spec.placed;
  return p;
}

}  // namespace attest
