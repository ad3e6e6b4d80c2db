#include "properties/domain.h"

#include <rapidcheck.h>

#include <algorithm>
#include <array>

#include "reference/random.h"
#include "reference/semantics/profiles.h"

namespace attest {
namespace {

using kind = feature_group::kind;

constexpr feature_set shapes_and_places = feature_set()
                                              .with(feature::cross_lengths)
                                              .with(feature::value_width)
                                              .with(feature::grouped_heads)
                                              .with(feature::strides);

constexpr int regime_count = 14;
constexpr unsigned axis_choices = 16;
constexpr unsigned queries_and_keys = 0b1100;

// Long rows, each length with its neighbours: sums of 8, 11 and 12 bits stall at 256, 2048 and
// 4096, sums of 16-bit floats overflow at 65,504, tiles and splits end at powers of two. Each law
// takes the next long_rows_of_a_law of them, a long row, a short one and one between in its first
// three.
constexpr std::array<std::int64_t, 19> long_lengths{4097, 257, 2049, 1025, 256, 513,    8193,  //
                                                    4096, 255, 2047, 1023, 511, 131072, 4095,  //
                                                    8192, 512, 2048, 1024, 8191};
constexpr std::array<value_regime, 4> long_regimes{value_regime::constant, value_regime::normal,
                                                   value_regime::exact, value_regime::ascending};

// The choices of one problem, by RapidCheck's generators. Each choice takes the next number: ask in
// a fixed order.
class chooser {
 public:
  explicit chooser(std::uint64_t seed) : random_(seed) {}

  std::int64_t below(std::int64_t n) {
    return rc::gen::inRange<std::int64_t>(0, n)(random_.split(), rc::kNominalSize).value();
  }
  bool one_in(std::int64_t n) { return below(n) == 0; }
  template <class T, std::size_t N>
  T among(const std::array<T, N>& values) {
    return values[static_cast<std::size_t>(below(static_cast<std::int64_t>(N)))];
  }
  std::uint64_t bits() { return random_.split().next(); }

 private:
  rc::Random random_;
};

// FNV-1a, so that properties and groups draw apart.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

std::uint64_t draw_seed(const property& law, const feature_group& group, const draw& d,
                        std::uint64_t attempt) {
  const std::uint64_t place = hash_of(law.name) ^ (hash_of(group.name()) * 3);
  return random_bits(d.seed, place + attempt, static_cast<std::uint64_t>(d.index));
}

// --- Which features ---

feature_set usable(const property& law, const subject_info& subject) {
  const feature_set both(law.admits.bits() & subject.features.bits());
  return find_profile(subject.profile).is_softmax() ? both : both.without(feature::sink);
}

// How many times the work of a softmax of products a problem's reference is: it is computed in
// intervals, and other scorers are matrices of their own.
std::int64_t cost_of_member(const subject_info& subject) {
  const semantics rules = find_profile(subject.profile);
  const bool is_plain = rules.is_softmax() && rules.scores_by_products();
  constexpr std::int64_t in_intervals = 40, of_a_scorer = 4;
  if (is_plain) return 1;
  return rules.scores_by_products() ? in_intervals : in_intervals * of_a_scorer;
}

// The group's own feature, shapes and places in half of the problems, and the rest now and then.
feature_set choose_features(const feature_group& group, feature_set allowed, chooser& choose) {
  feature_set chosen;
  if (group.what == kind::plain) return chosen;
  for (feature f : members(allowed)) {
    const bool own = group.what == kind::single && f == group.always;
    const bool other = choose.one_in(shapes_and_places.has(f)    ? 2
                                     : group.what == kind::mixed ? 3
                                                                 : 4);
    if (own || other) chosen = chosen.with(f);
  }
  const bool needs_bias = group.what == kind::single && group.always == feature::infinite_bias;
  return needs_bias && allowed.has(feature::bias) ? chosen.with(feature::bias) : chosen;
}

// --- Shapes: primes, as distinct as possible, so that no two axes can be mistaken for one another
// ---

bool distinct(const shape& s) {
  std::array<std::int64_t, 6> sizes{s.batch, s.query_heads, s.queries,
                                    s.keys,  s.width,       s.value_width};
  std::sort(sizes.begin(), sizes.end());
  return std::adjacent_find(sizes.begin(), sizes.end()) == sizes.end();
}

shape choose_shape_once(feature_set features, chooser& choose) {
  shape s;
  s.batch = choose.among(std::array<std::int64_t, 4>{1, 2, 2, 3});
  s.kv_heads = choose.among(std::array<std::int64_t, 4>{1, 2, 3, 2});
  const std::int64_t group = choose.among(std::array<std::int64_t, 3>{2, 3, 2});
  s.query_heads = features.has(feature::grouped_heads) ? s.kv_heads * group : s.kv_heads;
  s.keys = choose.among(std::array<std::int64_t, 10>{2, 5, 7, 11, 13, 17, 19, 23, 29, 37});
  const std::int64_t queries = choose.among(std::array<std::int64_t, 6>{1, 3, 5, 7, 11, 13});
  if (features.has(feature::cross_lengths)) s.queries = queries;
  if (!features.has(feature::cross_lengths))
    s.queries = s.keys = std::min<std::int64_t>(s.keys, 13);
  s.width = choose.among(std::array<std::int64_t, 9>{1, 3, 4, 5, 7, 8, 11, 16, 17});
  const std::int64_t value_width = choose.among(std::array<std::int64_t, 6>{1, 2, 5, 7, 11, 13});
  s.value_width = features.has(feature::value_width) ? value_width : s.width;
  return s;
}

shape choose_shape(feature_set features, chooser& choose) {
  constexpr int tries = 8;
  shape s = choose_shape_once(features, choose);
  for (int n = 1; n < tries && !distinct(s); ++n) s = choose_shape_once(features, choose);
  return s;
}

// Where the law begins in the ladder of long rows: where the one before it in the catalogue ends.
std::int64_t first_long_row(const property& law) {
  std::int64_t first = 0;
  for (const property* other : catalogue()) {
    if (other == &law) break;
    if (other->long_rows) first += long_rows_of_a_law;
  }
  return first;
}

// Each of the 16 broadcast patterns once in a turn of 16 draws, as the regimes below.
unsigned own_axes(const feature_group& group, const draw& d) {
  constexpr std::uint64_t stride = 7;  // odd
  const auto index = static_cast<std::uint64_t>(d.index);
  const std::uint64_t start = hash_of(group.name()) + d.seed;
  return static_cast<unsigned>((start + stride * index + index / axis_choices) % axis_choices);
}

// Without cross_lengths there are as many queries as keys, which is long enough for few keys.
shape long_shape(const property& law, const subject_info& subject, std::int64_t turn) {
  constexpr std::int64_t least_square = 255;
  shape s;
  s.keys = long_lengths[static_cast<std::size_t>(first_long_row(law) + turn) % long_lengths.size()];
  constexpr std::int64_t most_in_intervals = 8193;
  if (cost_of_member(subject) > 1) s.keys = std::min(s.keys, most_in_intervals);
  s.width = 4;
  s.value_width = subject.features.has(feature::value_width) ? 3 : s.width;
  if (!subject.features.has(feature::cross_lengths)) s.queries = s.keys = least_square + turn % 3;
  return s;
}

// --- Large calls: another path for wide heads, several tiles, many heads, split keys ---

// Each path is taken with each feature for sure so many times.
constexpr int turns_of_a_feature = 2;
constexpr int least_problems_of_a_path = 12;

enum class path : std::uint8_t { wide_heads, tiles, many_heads, split_keys, crossed };
constexpr std::int64_t path_count = 5;

// Beside multiples of the sizes of tiles: 16, 32, 64 and 128.
constexpr std::array<std::int64_t, 20> tile_neighbours{15, 16, 17, 18, 31, 32, 33,  34,  47,  63,
                                                       64, 65, 66, 95, 96, 97, 127, 128, 129, 130};
constexpr std::array<std::int64_t, 16> split_lengths{191, 193, 255, 256, 257,  258,  300,  384,
                                                     385, 511, 513, 640, 1000, 1025, 1536, 2049};
constexpr std::array<std::int64_t, 28> head_widths{2,   6,   10,  24,  31,  32,  33,  34,  40,  48,
                                                   63,  64,  65,  66,  72,  80,  96,  100, 112, 120,
                                                   128, 160, 192, 256, 288, 320, 512, 576};

path path_of(std::int64_t turn) { return static_cast<path>(turn % path_count); }

shape few_heads(chooser& choose) {
  shape s;
  s.batch = choose.among(std::array<std::int64_t, 3>{1, 1, 2});
  s.kv_heads = choose.among(std::array<std::int64_t, 3>{1, 2, 1});
  s.query_heads = s.kv_heads * choose.among(std::array<std::int64_t, 3>{2, 3, 4});
  s.width = choose.among(std::array<std::int64_t, 8>{4, 16, 33, 64, 64, 80, 128, 256});
  s.value_width = choose.among(std::array<std::int64_t, 6>{3, 9, 16, 64, 128, 256});
  return s;
}

shape with_wide_heads(chooser& choose) {
  shape s = few_heads(choose);
  s.queries = choose.among(std::array<std::int64_t, 4>{1, 2, 5, 9});
  s.keys = choose.among(std::array<std::int64_t, 6>{3, 7, 8, 19, 33, 65});
  s.width = choose.among(head_widths);
  s.value_width = choose.among(head_widths);
  return s;
}

shape with_tiles(chooser& choose) {
  shape s = few_heads(choose);
  s.batch = 1;
  s.queries = choose.among(tile_neighbours);
  s.keys = choose.one_in(3) ? choose.among(split_lengths) : choose.among(tile_neighbours);
  return s;
}

shape with_many_heads(chooser& choose) {
  shape s = few_heads(choose);
  s.batch = choose.among(std::array<std::int64_t, 10>{1, 2, 4, 5, 6, 7, 8, 9, 17, 33});
  s.kv_heads = choose.among(std::array<std::int64_t, 5>{1, 2, 3, 5, 8});
  s.query_heads =
      s.kv_heads * choose.among(std::array<std::int64_t, 11>{4, 5, 6, 7, 8, 9, 12, 16, 17, 32, 71});
  s.queries = choose.among(std::array<std::int64_t, 4>{1, 2, 3, 5});
  s.keys = choose.among(std::array<std::int64_t, 6>{1, 3, 5, 9, 17, 33});
  s.width = choose.among(std::array<std::int64_t, 4>{4, 5, 8, 16});
  s.value_width = choose.among(std::array<std::int64_t, 3>{3, 7, 9});
  return s;
}

shape with_split_keys(chooser& choose) {
  shape s = few_heads(choose);
  s.queries = choose.among(std::array<std::int64_t, 5>{1, 1, 1, 2, 8});
  s.keys = choose.among(split_lengths);
  return s;
}

// --- Sizes that are large together ---

enum axis : std::uint8_t {
  of_batch,
  of_kv_heads,
  of_group,
  of_queries,
  of_keys,
  of_width,
  of_values
};
constexpr std::size_t axis_count = 7;
using axes = std::array<axis, 3>;

// Two Fano planes: on the lines of each any two axes meet once. Between them, what prefill of a
// usual model has.
constexpr std::array<axes, 16> large_together{{{of_batch, of_kv_heads, of_queries},
                                               {of_kv_heads, of_group, of_keys},
                                               {of_group, of_queries, of_width},
                                               {of_queries, of_keys, of_values},
                                               {of_keys, of_width, of_batch},
                                               {of_width, of_values, of_kv_heads},
                                               {of_values, of_batch, of_group},
                                               {of_queries, of_keys, of_width},
                                               {of_batch, of_group, of_queries},
                                               {of_kv_heads, of_queries, of_keys},
                                               {of_group, of_keys, of_width},
                                               {of_queries, of_width, of_values},
                                               {of_keys, of_values, of_batch},
                                               {of_width, of_batch, of_kv_heads},
                                               {of_values, of_kv_heads, of_group},
                                               {of_queries, of_keys, of_width}}};

struct axis_sizes {
  std::array<std::int64_t, 4> small;
  std::array<std::int64_t, 8> large;
};
constexpr std::array<axis_sizes, axis_count> sizes_of_axes{
    {{{1, 2, 2, 1}, {3, 4, 5, 8, 9, 16, 17, 33}},                 // batch
     {{1, 2, 1, 2}, {2, 3, 5, 8, 9, 9, 12, 16}},                  // kv_heads
     {{1, 2, 3, 4}, {5, 6, 7, 8, 12, 16, 17, 32}},                // group
     {{1, 2, 1, 5}, {33, 64, 65, 127, 128, 129, 128, 130}},       // queries
     {{3, 9, 17, 33}, {65, 127, 128, 129, 128, 257, 513, 1025}},  // keys
     {{2, 4, 10, 16}, {64, 66, 80, 96, 128, 128, 128, 256}},      // width
     {{3, 8, 9, 16}, {64, 80, 96, 128, 128, 160, 256, 512}}}};    // value_width

using drawn_sizes = std::array<std::int64_t, axis_count>;

std::int64_t products_of(const drawn_sizes& s) {
  return s[of_batch] * s[of_kv_heads] * s[of_group] * s[of_queries] * s[of_keys] *
         (s[of_width] + s[of_values]);
}

using flags = std::array<bool, axis_count>;

// Less of what is not to be large, then of what is, until a call does not take long.
drawn_sizes within(std::int64_t most_products, drawn_sizes sizes, const flags& large) {
  const auto lessen = [&](bool among_large) {
    std::size_t most = axis_count;
    for (std::size_t a = 0; a < axis_count; ++a)
      if (large[a] == among_large && sizes[a] > 1 && (most == axis_count || sizes[a] > sizes[most]))
        most = a;
    if (most < axis_count) sizes[most] /= 2;
    return most < axis_count;
  };
  while (products_of(sizes) > most_products && (lessen(false) || lessen(true))) {
  }
  return sizes;
}

// Values are as wide as keys in half of the calls, as they are in most models.
shape crossed_shape(std::int64_t turn, feature_set features, std::int64_t cost, chooser& choose) {
  constexpr std::int64_t most_products = 5'000'000, most_square = 129;
  flags large{};
  for (axis a : large_together[static_cast<std::size_t>(turn) % large_together.size()])
    large[a] = true;
  drawn_sizes sizes{};
  for (std::size_t a = 0; a < axis_count; ++a) {
    const std::int64_t small_size = choose.among(sizes_of_axes[a].small);
    const std::int64_t large_size = choose.among(sizes_of_axes[a].large);
    sizes[a] = large[a] ? large_size : small_size;
  }
  const bool square = !features.has(feature::cross_lengths);
  const bool is_prefill = large[of_queries] && large[of_keys] && large[of_width];
  const bool as_wide = choose.one_in(2) || is_prefill || !features.has(feature::value_width);
  if (as_wide) sizes[of_values] = sizes[of_width], large[of_values] = large[of_width];
  if (square)
    sizes[of_queries] = sizes[of_keys] =
        std::min(std::max(sizes[of_queries], sizes[of_keys]), most_square);
  sizes = within(most_products / cost, sizes, large);
  if (square) sizes[of_queries] = sizes[of_keys] = std::min(sizes[of_queries], sizes[of_keys]);
  if (!features.has(feature::value_width)) sizes[of_values] = sizes[of_width];
  shape s;
  s.batch = sizes[of_batch];
  s.query_heads = sizes[of_kv_heads] * sizes[of_group];
  s.kv_heads = features.has(feature::grouped_heads) ? sizes[of_kv_heads] : s.query_heads;
  s.queries = sizes[of_queries];
  s.keys = sizes[of_keys];
  s.width = sizes[of_width];
  s.value_width = sizes[of_values];
  return s;
}

shape shape_of_path(path p, chooser& choose) {
  switch (p) {
    case path::wide_heads:
      return with_wide_heads(choose);
    case path::tiles:
      return with_tiles(choose);
    case path::many_heads:
      return with_many_heads(choose);
    case path::split_keys:
    case path::crossed:
      break;
  }
  return with_split_keys(choose);
}

// Less of what the path is not about, where a call would take long.
shape affordable(shape s, std::int64_t cost) {
  const std::int64_t most_products = 6'000'000 / cost;
  const auto is_too_large = [&] {
    const std::int64_t scores = s.batch * s.query_heads * s.queries * s.keys;
    return scores * (s.width + s.value_width) > most_products;
  };
  if (is_too_large()) s.batch = 1;
  if (is_too_large()) s.query_heads /= s.kv_heads, s.kv_heads = 1;
  if (is_too_large()) s.width = 16, s.value_width = 9;
  if (cost > 1 && is_too_large()) s.width = 4, s.value_width = 3;
  while (cost > 1 && is_too_large() && s.queries > 1) s.queries /= 2;
  return s;
}

// Without grouped heads the number of heads stays that of the queries' heads. As many queries as
// keys, where they may not differ, make large calls of few keys.
shape large_shape(std::int64_t turn, feature_set features, std::int64_t cost, chooser& choose) {
  constexpr std::int64_t most_square = 513;
  const path p = path_of(turn);
  if (p == path::crossed) return crossed_shape(turn / path_count, features, cost, choose);
  shape s = shape_of_path(p, choose);
  if (!features.has(feature::cross_lengths)) s.queries = s.keys = std::min(s.keys, most_square);
  s = affordable(s, cost);
  if (!features.has(feature::cross_lengths)) s.keys = s.queries = std::min(s.queries, s.keys);
  if (!features.has(feature::grouped_heads)) s.kv_heads = s.query_heads;
  if (!features.has(feature::value_width)) s.value_width = s.width;
  return s;
}

// One feature after the other for sure, each on every path.
feature_set features_of_large(feature_set allowed, std::int64_t turn, chooser& choose) {
  const std::vector<feature> each = members(allowed);
  if (each.empty()) return {};
  const auto own = static_cast<std::size_t>(turn / path_count) % each.size();
  const bool are_few = each.size() <= 8;
  feature_set chosen = feature_set().with(each[own]);
  for (feature f : each)
    if (choose.one_in(are_few || shapes_and_places.has(f) ? 2 : 3)) chosen = chosen.with(f);
  return chosen;
}

// Narrower and wider than a tile, and than the keys.
window large_window(std::int64_t keys, chooser& choose) {
  const window w{
      choose.among(std::array<std::int64_t, 10>{0, 1, 5, 15, 31, 33, 64, 100, keys / 2, -1}),
      choose.among(std::array<std::int64_t, 6>{0, 0, 1, 16, 33, -1})};
  return w.open() ? window{keys / 3, 0} : w;
}

// Every second call of a path has one regime after the other, where a law begins.
value_regime regime_of_large(const property& law, std::int64_t turn, const draw& d) {
  const auto of_path = static_cast<std::uint64_t>(turn / path_count);
  if (of_path % 2 == 0) return value_regime::normal;
  constexpr std::uint64_t stride = 5;  // coprime to 14
  const std::uint64_t start = hash_of(law.name) + d.seed + static_cast<std::uint64_t>(turn);
  return static_cast<value_regime>((start + stride * (of_path / 2)) % regime_count);
}

// --- Feature by feature ---

causal_anchor choose_causal(feature_set features, const feature_group& group) {
  const bool top = features.has(feature::causal_top_left),
             bottom = features.has(feature::causal_bottom_right);
  if (!top && !bottom) return causal_anchor::none;
  const bool prefers_top = group.what == kind::single && group.always == feature::causal_top_left;
  return bottom && !(top && prefers_top) ? causal_anchor::bottom_right : causal_anchor::top_left;
}

// 1 / (1 - p) of a p that hardly counts, of usual ones and of 0. Large values have no room for
// more.
double choose_dropout_scale(value_regime regime, chooser& choose) {
  const double scale = choose.among(std::array<double, 6>{1 / 0.9, 2, 10, 1 / 0.7, 1 / 0.9, 1});
  return regime == value_regime::near_overflow ? 1 : scale;
}

window choose_window(chooser& choose) {
  const window w{choose.among(std::array<std::int64_t, 6>{0, 1, 2, 3, 5, -1}),
                 choose.among(std::array<std::int64_t, 5>{0, 0, 1, 2, -1})};
  return w.open() ? window{2, 0} : w;
}

// Smaller and larger than the rows of most problems; in large calls, than a tile.
key_pattern choose_pattern(feature_set features, bool large, chooser& choose) {
  key_pattern by;
  if (features.has(feature::dilation))
    by.dilation = choose.among(std::array<std::int64_t, 4>{2, 3, 2, 5});
  if (features.has(feature::chunks))
    by.chunk = large ? choose.among(std::array<std::int64_t, 5>{16, 33, 64, 100, 128})
                     : choose.among(std::array<std::int64_t, 5>{1, 2, 3, 5, 8});
  if (features.has(feature::global_keys))
    by.global_keys = choose.among(std::array<std::int64_t, 4>{1, 2, 4, large ? 65 : 3});
  if (features.has(feature::block_mask)) {
    const std::array<std::int64_t, 4> sizes = large ? std::array<std::int64_t, 4>{16, 32, 64, 128}
                                                    : std::array<std::int64_t, 4>{1, 2, 3, 4};
    by.block_queries = choose.among(sizes);
    by.block_keys = choose.among(sizes);
  }
  return by;
}

// Global keys are told apart only where something else leaves keys out by their place; slopes stand
// in the place of a bias; pages are told by batch rows that end within one.
feature_set reconciled(feature_set features, const feature_group& group, feature_set allowed) {
  constexpr feature_set local = feature_set()
                                    .with(feature::window)
                                    .with(feature::dilation)
                                    .with(feature::chunks)
                                    .with(feature::block_mask);
  const bool owns_pages = group.what == kind::single && group.always == feature::pages;
  if (owns_pages && allowed.has(feature::lengths)) features = features.with(feature::lengths);
  const bool owns_alibi = group.what == kind::single && group.always == feature::alibi;
  if (features.has(feature::global_keys) && features.in(local).empty()) {
    const std::vector<feature> choices = members(allowed.in(local));
    features =
        choices.empty() ? features.without(feature::global_keys) : features.with(choices.front());
  }
  if (!features.has(feature::alibi) || !features.has(feature::bias)) return features;
  return owns_alibi ? features.without(feature::bias).without(feature::infinite_bias)
                    : features.without(feature::alibi);
}

// Sizes that divide the number of keys and that don't, and one that holds them all.
std::int64_t choose_page(std::int64_t keys, bool large, chooser& choose) {
  const std::int64_t all = std::max<std::int64_t>(keys, 1);
  return large ? choose.among(std::array<std::int64_t, 8>{1, 7, 16, 16, 32, 64, 128, all})
               : choose.among(std::array<std::int64_t, 8>{1, 2, 3, 4, 5, 8, 16, all});
}

// The axes of a mask or bias that the group is about, or any.
unsigned choose_axes(feature what, const feature_group& group, const draw& d, chooser& choose) {
  const auto any = static_cast<unsigned>(choose.below(axis_choices));
  if (group.what == kind::large) return choose.one_in(2) ? every_axis : any;
  return group.what == kind::single && group.always == what ? own_axes(group, d) : any;
}

void choose_details(problem_spec& spec, feature_set features, const feature_group& group,
                    const draw& d, chooser& choose) {
  if (features.has(feature::mask)) spec.mask_axes = choose_axes(feature::mask, group, d, choose);
  if (features.has(feature::bias)) spec.bias_axes = choose_axes(feature::bias, group, d, choose);
  spec.infinite_bias = features.has(feature::infinite_bias) && spec.bias_axes;
  spec.causal = choose_causal(features, group);
  if (features.has(feature::window))
    spec.sliding =
        group.what == kind::large ? large_window(spec.dims.keys, choose) : choose_window(choose);
  spec.pattern = choose_pattern(features, group.what == kind::large, choose);
  if (features.has(feature::block_mask))
    spec.block_axes = choose_axes(feature::block_mask, group, d, choose) | queries_and_keys;
  spec.packed = features.has(feature::segments);
  spec.alibi = features.has(feature::alibi);
  spec.ragged = features.has(feature::lengths);
  spec.sink = features.has(feature::sink);
  if (features.has(feature::soft_cap))
    spec.soft_cap = choose.among(std::array<double, 3>{0.5, 5, 50});
  if (features.has(feature::scale))
    spec.scale = choose.among(std::array<double, 6>{0.1, 2, -2, -0.75, 0, 1});
  if (features.has(feature::dropout)) {
    spec.dropout_axes = choose_axes(feature::dropout, group, d, choose);
    spec.dropout_scale = choose_dropout_scale(spec.regime, choose);
  }
  if (features.has(feature::strides))
    spec.placed = choose.among(std::array<layout, 5>{layout::blhd, layout::fused, layout::reversed,
                                                     layout::spread, layout::shared});
  if (features.has(feature::pages))
    spec.page = choose_page(spec.dims.keys, group.what == kind::large, choose);
}

// Each regime once in a turn of 14, in an order of the group's own. Formats alternate, so each turn
// begins one later: otherwise the first of two formats would meet every second regime only.
value_regime regime_of(const property& law, const feature_group& group, const draw& d) {
  const std::uint64_t start = hash_of(group.name()) + hash_of(law.name) + d.seed;
  constexpr std::uint64_t stride = 5;  // coprime to 14
  const auto index = static_cast<std::uint64_t>(d.index);
  return static_cast<value_regime>((start + stride * index + index / regime_count) % regime_count);
}

// Whether a weight may be held larger than weight_of_one.
bool may_lift_weights(const contract& c) {
  return c.rescale_threshold > 0 || c.shift != exponent_shift::maximum || c.shift_by < 0;
}

// Whether weights that are scores, and outputs that are sums of their products with v, stay within
// what the contract's stages hold.
bool suits_sums(value_regime regime, const contract& c) {
  constexpr double roomy = 1e30;
  const bool narrow = largest_finite(*c.output) < roomy ||
                      largest_finite(*c.weight_storage.number) < roomy ||
                      largest_finite(*c.output_sum.number) < roomy;
  const bool large = regime == value_regime::large_scores || regime == value_regime::outliers ||
                     regime == value_regime::negative_scores;
  return regime != value_regime::near_overflow && !(narrow && large);
}

// Whether the stages of the contract hold the numbers of a regime; where they cannot, every row
// would be out of domain.
bool suits(value_regime regime, const contract& c, const semantics& rules) {
  constexpr double largest_raw_score = 1e7;
  if (rules.normalised_by == normalizer::identity && !suits_sums(regime, c)) return false;
  const double scores =
      std::min(largest_finite(*c.score_sum.number), largest_finite(*c.score_storage.number));
  const bool follows = c.shift == exponent_shift::maximum;  // whatever the scores are
  if (regime == value_regime::negative_scores) return scores > largest_raw_score && follows;
  if (regime == value_regime::large_scores) return follows;
  if (regime == value_regime::near_overflow)
    return c.output_sum.number->max_exponent >= f32.max_exponent && !may_lift_weights(c);
  return true;
}

// --- Shrinking ---

using simplification = void (*)(problem_spec&);

// Features first, then places and values: what is left tells what the defect needs.
constexpr simplification simplifications[] = {
    [](problem_spec& s) { s.page = 0; },
    [](problem_spec& s) { s.sliding = {}; },
    [](problem_spec& s) { s.pattern.global_keys = 0; },
    [](problem_spec& s) { s.pattern.dilation = 1; },
    [](problem_spec& s) { s.pattern.chunk = 0; },
    [](problem_spec& s) {
      s.block_axes.reset(), s.pattern.block_queries = s.pattern.block_keys = 0;
    },
    [](problem_spec& s) { s.packed = false; },
    [](problem_spec& s) { s.alibi = false; },
    [](problem_spec& s) { s.dropout_axes.reset(), s.dropout_scale = 1; },
    [](problem_spec& s) { s.soft_cap = 0; },
    [](problem_spec& s) { s.sink = false; },
    [](problem_spec& s) { s.infinite_bias = false; },
    [](problem_spec& s) { s.bias_axes.reset(), s.infinite_bias = false; },
    [](problem_spec& s) { s.mask_axes.reset(); },
    [](problem_spec& s) { s.ragged = false; },
    [](problem_spec& s) { s.causal = causal_anchor::none; },
    [](problem_spec& s) { s.scale.reset(); },
    [](problem_spec& s) { s.placed = layout::bhld; },
    [](problem_spec& s) { s.dims.query_heads = s.dims.kv_heads; },
    [](problem_spec& s) { s.dims.query_heads /= s.dims.kv_heads, s.dims.kv_heads = 1; },
    [](problem_spec& s) { s.dims.value_width = s.dims.width; },
    [](problem_spec& s) { s.dims.queries = s.dims.keys = std::min(s.dims.queries, s.dims.keys); },
    [](problem_spec& s) {
      s.dims.width = s.dims.value_width = std::min(s.dims.width, s.dims.value_width);
    },
    [](problem_spec& s) { s.regime = value_regime::normal; },
    [](problem_spec& s) { s.regime = value_regime::exact; },
    [](problem_spec& s) { s.seed %= 8; },
};

constexpr std::int64_t shape::*dimensions[] = {&shape::batch, &shape::queries, &shape::keys,
                                               &shape::width, &shape::value_width};

// What a spec asks. (Of a bias with few cells none may come out infinite: problem::asks sees that,
// this does not.)
feature_set features_of(const problem_spec& s) {
  feature_set set;
  const auto ask = [&](bool asked, feature f) { set = asked ? set.with(f) : set; };
  ask(s.mask_axes.has_value(), feature::mask);
  ask(s.bias_axes.has_value(), feature::bias);
  ask(s.infinite_bias, feature::infinite_bias);
  ask(s.causal == causal_anchor::top_left, feature::causal_top_left);
  ask(s.causal == causal_anchor::bottom_right, feature::causal_bottom_right);
  ask(!s.sliding.open(), feature::window);
  ask(s.packed, feature::segments);
  ask(s.pattern.dilation != 1, feature::dilation);
  ask(s.pattern.chunk != 0, feature::chunks);
  ask(s.pattern.global_keys != 0, feature::global_keys);
  ask(s.block_axes.has_value(), feature::block_mask);
  ask(s.alibi, feature::alibi);
  ask(s.dropout_axes.has_value(), feature::dropout);
  ask(s.ragged, feature::lengths);
  ask(s.dims.query_heads != s.dims.kv_heads, feature::grouped_heads);
  ask(s.scale.has_value(), feature::scale);
  ask(s.soft_cap > 0, feature::soft_cap);
  ask(s.sink, feature::sink);
  ask(s.dims.queries != s.dims.keys, feature::cross_lengths);
  ask(s.dims.width != s.dims.value_width, feature::value_width);
  ask(s.placed != layout::bhld, feature::strides);
  ask(s.page != 0, feature::pages);
  return set;
}

bool no_larger(const shape& a, const shape& b) {
  return a.batch <= b.batch && a.query_heads <= b.query_heads && a.kv_heads <= b.kv_heads &&
         a.queries <= b.queries && a.keys <= b.keys && a.width <= b.width &&
         a.value_width <= b.value_width;
}

// Simpler than a random problem of the same size: exact before normal before all others.
int rank_of(value_regime regime) {
  return regime == value_regime::exact ? 0 : regime == value_regime::normal ? 1 : 2;
}

// Never a feature more, which the subject may not declare; a dimension may grow only where that
// saves a feature. So no chain of simpler problems is endless.
bool simpler(const problem_spec& a, const problem_spec& b) {
  const feature_set less = features_of(a), more = features_of(b);
  return !(a == b) && more.contains(less) && rank_of(a.regime) <= rank_of(b.regime) &&
         a.seed <= b.seed && a.page <= b.page && (!(less == more) || no_larger(a.dims, b.dims));
}

// Sizes to try in place of one; some may not be smaller, or no size.
std::array<std::int64_t, 4> smaller_sizes(std::int64_t size) {
  return {1, size / 4, size / 2, size - 1};
}

// The problems in which the dimensions, which are equal, are smaller.
void add_sizes(std::vector<problem_spec>& list, const problem_spec& spec,
               std::initializer_list<std::int64_t shape::*> equal) {
  const std::int64_t size = spec.dims.*(*equal.begin());
  for (const std::int64_t smaller : smaller_sizes(size)) {
    problem_spec next = spec;
    for (const auto member : equal) next.dims.*member = smaller;
    if (smaller >= 1 && smaller < size && simpler(next, spec)) list.push_back(next);
  }
}

void add_pages(std::vector<problem_spec>& list, const problem_spec& spec) {
  for (const std::int64_t smaller : smaller_sizes(spec.page)) {
    problem_spec next = spec;
    next.page = smaller;
    if (smaller >= 1 && smaller < spec.page) list.push_back(next);
  }
}

void add_sizes(std::vector<problem_spec>& list, const problem_spec& spec) {
  if (spec.dims.queries == spec.dims.keys) add_sizes(list, spec, {&shape::queries, &shape::keys});
  if (spec.dims.width == spec.dims.value_width)
    add_sizes(list, spec, {&shape::width, &shape::value_width});
  for (const auto member : dimensions) add_sizes(list, spec, {member});
}

// The steps that make a problem simpler, biggest first.
std::vector<problem_spec> simpler_specs(const problem_spec& spec) {
  std::vector<problem_spec> list;
  for (const simplification simplify : simplifications) {
    problem_spec next = spec;
    simplify(next);
    if (simpler(next, spec)) list.push_back(next);
  }
  add_sizes(list, spec);
  add_pages(list, spec);
  return list;
}

// Half of the long rows, and those whose masks need an index of more than 12 bits.
bool is_masked(std::int64_t keys, std::int64_t turn) {
  return turn % 2 == 1 || (keys > 4096 && keys < 10000);
}

// The shortest of a law's long rows is among them, and the one between.
bool is_paged(std::int64_t turn) { return turn % 3 != 0; }

// --- What long rows have beside them ---

// Two in three, of a law that sees what large calls do.
bool has_company(const property& law, std::int64_t turn, std::int64_t cost) {
  return law.large_calls && cost == 1 && turn % 3 != 1;
}

constexpr std::array<value_regime, 4> regimes_in_company{
    value_regime::normal, value_regime::negative_scores, value_regime::ascending,
    value_regime::descending};

// Several rows, heads and features, of those that leave most of a long row.
shape several_long_rows(shape s, feature_set features, chooser& choose) {
  constexpr std::int64_t most_products = 8'000'000;
  s.batch = choose.among(std::array<std::int64_t, 3>{1, 2, 3});
  s.kv_heads = choose.among(std::array<std::int64_t, 3>{1, 2, 1});
  const std::int64_t grouped = choose.among(std::array<std::int64_t, 4>{2, 3, 5, 2});
  const std::int64_t in_a_group = features.has(feature::grouped_heads) ? grouped : 1;
  s.query_heads = s.kv_heads * in_a_group;
  if (features.has(feature::cross_lengths))
    s.queries = choose.among(std::array<std::int64_t, 4>{1, 2, 5, 1});
  const std::int64_t wide = choose.among(std::array<std::int64_t, 3>{4, 64, 5});
  const auto is_too_large = [&] {
    return s.batch * s.query_heads * s.queries * s.keys * (s.width + s.value_width) > most_products;
  };
  if (s.keys <= 8193) s.width = wide;
  if (!features.has(feature::value_width)) s.value_width = s.width;
  if (is_too_large()) s.kv_heads = 1, s.query_heads = in_a_group;
  if (is_too_large() && features.has(feature::cross_lengths)) s.queries = 2;
  if (is_too_large()) s.batch = 1;
  if (is_too_large()) s.query_heads = s.kv_heads = 1;
  if (is_too_large()) s.width = 4, s.value_width = features.has(feature::value_width) ? 3 : 4;
  return s;
}

// Beyond, positions need more than 16 bits.
constexpr std::int64_t most_short_positions = 65536;

void keep_company(problem_spec& spec, feature_set allowed, const feature_group& group,
                  const draw& d, chooser& choose) {
  constexpr feature_set leaving_little = feature_set()
                                             .with(feature::causal_top_left)
                                             .with(feature::dilation)
                                             .with(feature::chunks)
                                             .with(feature::global_keys)
                                             .with(feature::block_mask)
                                             .with(feature::dropout)
                                             .with(feature::pages);
  feature_set features;
  for (feature f : members(allowed.without(leaving_little)))
    if (choose.one_in(shapes_and_places.has(f) ? 2 : f == feature::window ? 6 : 3))
      features = features.with(f);
  if (spec.dims.keys > most_short_positions && allowed.has(feature::causal_bottom_right))
    features = features.with(feature::causal_bottom_right);
  features = reconciled(features, group, allowed);
  spec.regime = choose.among(regimes_in_company);
  spec.dims = several_long_rows(spec.dims, features, choose);
  choose_details(spec, features, group, d, choose);
  if (!spec.sliding.open()) spec.sliding = {spec.dims.keys / 2, 0};
}

// A law may have put a bias there.
std::optional<problem_spec> without_slopes_beside_bias(std::optional<problem_spec> spec) {
  if (spec && spec->bias_axes) spec->alibi = false;
  return spec;
}

// One attempt at a draw.
std::optional<problem_spec> draw_once(const property& law, const subject_info& subject,
                                      const feature_group& group, const draw& d,
                                      std::uint64_t attempt) {
  chooser choose(draw_seed(law, group, d, attempt));
  const auto formats = static_cast<std::int64_t>(subject.inputs.size());
  const std::int64_t turn = d.index / formats;
  problem_spec spec;
  spec.inputs = subject.inputs[static_cast<std::size_t>(d.index % formats)];
  spec.profile = subject.profile;
  spec.seed = choose.bits() >> 32;
  const feature_set allowed = usable(law, subject);
  if (group.what == kind::long_row) {
    spec.dims = long_shape(law, subject, turn);
    spec.regime = long_regimes[static_cast<std::size_t>(turn) % long_regimes.size()];
    if (has_company(law, turn, cost_of_member(subject)))
      keep_company(spec, allowed, group, d, choose);
    if (!suits(spec.regime, subject.contract_for(*spec.inputs), find_profile(subject.profile)))
      spec.regime = value_regime::normal;
    if (allowed.has(feature::mask) && is_masked(spec.dims.keys, turn)) spec.mask_axes = every_axis;
    if (allowed.has(feature::pages) && is_paged(turn)) spec.page = 16;
    return without_slopes_beside_bias(law.adapt(spec, subject));
  }
  const bool large = group.what == kind::large;
  const feature_set features = reconciled(
      large ? features_of_large(allowed, turn, choose) : choose_features(group, allowed, choose),
      group, allowed);
  spec.dims = large ? large_shape(turn, features, cost_of_member(subject), choose)
                    : choose_shape(features, choose);
  spec.regime = large ? regime_of_large(law, turn, d) : regime_of(law, group, d);
  const semantics rules = find_profile(subject.profile);
  if (!suits(spec.regime, subject.contract_for(*spec.inputs), rules))
    spec.regime = rules.normalised_by == normalizer::identity ? value_regime::uniform
                                                              : value_regime::outliers;
  choose_details(spec, features, group, d, choose);
  return without_slopes_beside_bias(law.adapt(spec, subject));
}

int large_calls_of(const property& law, const subject_info& subject) {
  const int features = static_cast<int>(members(usable(law, subject)).size());
  return static_cast<int>(path_count) *
         std::max(least_problems_of_a_path, turns_of_a_feature * features);
}

// Sizes may come out equal, a small bias finite, and a law may take a feature away that does not go
// with another.
bool uses_its_feature(const problem_spec& spec, const feature_group& group) {
  return group.what != kind::single || group.always == feature::lse || spec.placed == layout::far ||
         materialise(spec).asks().has(group.always);
}

}  // namespace

std::string feature_group::name() const {
  switch (what) {
    case kind::plain:
      return "plain";
    case kind::mixed:
      return "mixed";
    case kind::long_row:
      return "long_row";
    case kind::large:
      return "large";
    case kind::single:
      break;
  }
  return std::string(name_of(always));
}

std::vector<feature_group> groups_for(const property& law, const subject_info& subject) {
  std::vector<feature_group> groups;
  if (!holds_for(law, find_profile(subject.profile))) return groups;
  if (law.plain_group) groups.push_back({});
  const feature_set usable_groups(law.groups.bits() & subject.features.bits());
  for (feature f : members(usable_groups)) groups.push_back({kind::single, f});
  if (!usable_groups.empty()) groups.push_back({kind::mixed, {}});
  if (law.long_rows) groups.push_back({kind::long_row, {}});
  if (law.large_calls) groups.push_back({kind::large, {}});
  return groups;
}

std::optional<problem_spec> draw_spec(const property& law, const subject_info& subject,
                                      const feature_group& group, const draw& d) {
  constexpr std::uint64_t most_attempts = 32;
  for (std::uint64_t attempt = 0; attempt < most_attempts; ++attempt) {
    const auto spec = draw_once(law, subject, group, d, attempt);
    if (spec && uses_its_feature(*spec, group)) return spec;
  }
  return std::nullopt;
}

int problems_in(const property& law, const feature_group& group, const subject_info& subject) {
  const int formats = static_cast<int>(subject.inputs.size());
  if (group.what == kind::long_row) return long_rows_of_a_law * formats;
  if (group.what == kind::large) return large_calls_of(law, subject) * formats;
  return law.base_problems;
}

std::vector<problem_spec> draw_specs(const property& law, const subject_info& subject,
                                     std::uint64_t seed, int effort) {
  std::vector<problem_spec> specs;
  for (const feature_group& group : groups_for(law, subject))
    for (int index = 0; index < effort * problems_in(law, group, subject); ++index)
      if (auto spec = draw_spec(law, subject, group, {seed, index}))
        specs.push_back(std::move(*spec));
  return specs;
}

problem_spec shrink_spec(const problem_spec& failing,
                         const std::function<bool(const problem_spec&)>& fails, int most_tries) {
  const auto shrinks = [](const problem_spec& spec) {
    return rc::seq::fromContainer(simpler_specs(spec));
  };
  auto smallest = rc::shrinkable::shrinkRecur(problem_spec(failing), shrinks);
  int tries = 0;
  for (bool found = true; found && tries < most_tries;) {
    found = false;
    auto candidates = smallest.shrinks();
    for (auto next = candidates.next(); next && tries < most_tries; next = candidates.next()) {
      ++tries;
      if (!fails(next->value())) continue;
      smallest = std::move(*next);
      found = true;
      break;
    }
  }
  return smallest.value();
}

}  // namespace attest
