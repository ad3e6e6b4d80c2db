#include "properties/domain/large_calls.h"

#include <algorithm>
#include <array>

#include "properties/domain/regimes.h"
#include "properties/domain/scope.h"

namespace attest {
namespace {

// Every second call of a path has a regime of its own.
constexpr int least_problems_of_a_path = regime_count;

// Beside multiples of the sizes of tiles: 16, 32, 64 and 128.
constexpr std::array<std::int64_t, 20> tile_neighbours{15, 16, 17, 18, 31, 32, 33,  34,  47,  63,
                                                       64, 65, 66, 95, 96, 97, 127, 128, 129, 130};
constexpr std::array<std::int64_t, 16> split_lengths{191, 193, 255, 256, 257,  258,  300,  384,
                                                     385, 511, 513, 640, 1000, 1025, 1536, 2049};
constexpr std::array<std::int64_t, 28> head_widths{2,   6,   10,  24,  31,  32,  33,  34,  40,  48,
                                                   63,  64,  65,  66,  72,  80,  96,  100, 112, 120,
                                                   128, 160, 192, 256, 288, 320, 512, 576};

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

constexpr std::array<shape (*)(chooser&), 4> shapes_of_paths{with_wide_heads, with_tiles,
                                                             with_many_heads, with_split_keys};
constexpr std::int64_t path_count = 1 + static_cast<std::int64_t>(shapes_of_paths.size());

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

}  // namespace

int large_calls_of(const property& law, const subject_info& subject) {
  const int features = static_cast<int>(members(usable(law, subject)).size());
  return static_cast<int>(path_count) * law.large_calls *
         std::max(least_problems_of_a_path, features);
}

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

shape large_shape(std::int64_t turn, feature_set features, std::int64_t cost, chooser& choose) {
  constexpr std::int64_t most_square = 513;
  const auto path = static_cast<std::size_t>(turn % path_count);
  if (path == shapes_of_paths.size())
    return crossed_shape(turn / path_count, features, cost, choose);
  shape s = shapes_of_paths[path](choose);
  if (!features.has(feature::cross_lengths)) s.queries = s.keys = std::min(s.keys, most_square);
  s = affordable(s, cost);
  if (!features.has(feature::cross_lengths)) s.keys = s.queries = std::min(s.queries, s.keys);
  if (!features.has(feature::grouped_heads)) s.kv_heads = s.query_heads;
  if (!features.has(feature::value_width)) s.value_width = s.width;
  return s;
}

value_regime regime_of_large(const property& law, std::int64_t turn, const draw& d) {
  const auto of_path = static_cast<std::uint64_t>(turn / path_count);
  if (of_path % 2 == 0) return value_regime::normal;
  constexpr std::uint64_t stride = 5;  // coprime to 14
  const std::uint64_t start = hash_of(law.name) + d.seed + static_cast<std::uint64_t>(turn);
  return static_cast<value_regime>((start + stride * (of_path / 2)) % regime_count);
}

}  // namespace attest
