#include "properties/domain/vast_calls.h"

#include <array>
#include <cmath>

#include "properties/domain/scope.h"

namespace attest {
namespace {

// batch, query_heads, kv_heads, queries, keys, width, value_width.
constexpr std::array<shape, vast_calls_of_a_law> vast_shapes{{
    {2, 4, 2, 387, 381, 3, 5},      // more than 2^20 scores
    {1, 2, 1, 33, 4225, 16, 9},     // several queries and more than 4096 keys
    {1, 1, 1, 2177, 515, 4, 3},     // more than 2048 queries
    {1, 1, 1, 1040, 1040, 2, 2},    // as many within one head
    {258, 257, 257, 1, 3, 2, 3},    // more than 2^16 heads in all
    {1, 1, 1, 257, 130, 128, 128},  // wide heads over several tiles of queries and of keys
    {1, 1, 1, 130, 290, 128, 128},
    {1, 1, 1, 5, 65600, 8, 5},  // positions of more than 16 bits
}};

constexpr feature_set triangles =
    feature_set().with(feature::causal_top_left).with(feature::causal_bottom_right);

}  // namespace

feature_set features_of_vast(feature_set allowed, chooser& choose) {
  const std::vector<feature> each = members(allowed);
  if (each.empty()) return {};
  feature_set chosen =
      feature_set().with(each[static_cast<std::size_t>(choose.below(std::ssize(each)))]);
  for (feature f : each)
    if (choose.one_in(shapes_and_places.has(f) ? 1 : triangles.has(f) ? 3 : 6))
      chosen = chosen.with(f);
  return chosen;
}

// As many scores, where there must be as many queries as keys.
shape vast_shape(std::int64_t turn, feature_set features) {
  shape s = vast_shapes[static_cast<std::size_t>(turn) % vast_shapes.size()];
  if (!features.has(feature::cross_lengths))
    s.queries = s.keys =
        static_cast<std::int64_t>(std::sqrt(static_cast<double>(s.queries * s.keys)));
  if (!features.has(feature::grouped_heads)) s.kv_heads = s.query_heads;
  if (!features.has(feature::value_width)) s.value_width = s.width;
  return s;
}

value_regime regime_of_vast(chooser& choose) {
  if (choose.one_in(2)) return value_regime::normal;
  return choose.among(std::array{value_regime::uniform, value_regime::large_scores,
                                 value_regime::ascending, value_regime::descending,
                                 value_regime::outliers, value_regime::signed_zeros});
}

double scale_of_vast(chooser& choose) {
  return choose.among(std::array<double, 5>{0.1, 2, -2, -0.75, 1});
}

layout layout_of_vast(chooser& choose) {
  return choose.among(
      std::array{layout::blhd, layout::fused, layout::reversed, layout::spread, layout::mirrored});
}

}  // namespace attest
