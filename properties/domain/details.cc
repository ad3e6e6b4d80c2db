#include "properties/domain/details.h"

#include <algorithm>
#include <array>

#include "properties/domain/vast_calls.h"

namespace attest {
namespace {

using kind = feature_group::kind;

constexpr unsigned axis_choices = 16;
constexpr unsigned queries_and_keys = 0b1100;

// Each of the 16 broadcast patterns once in a turn of 16 draws, as regimes are (regimes.h).
unsigned own_axes(const feature_group& group, const draw& d) {
  constexpr std::uint64_t stride = 7;  // odd
  const auto index = static_cast<std::uint64_t>(d.index);
  const std::uint64_t start = hash_of(group.name()) + d.seed;
  return static_cast<unsigned>((start + stride * index + index / axis_choices) % axis_choices);
}

causal_anchor choose_causal(feature_set features, const feature_group& group) {
  const bool top = features.has(feature::causal_top_left),
             bottom = features.has(feature::causal_bottom_right);
  if (!top && !bottom) return causal_anchor::none;
  const bool prefers_top = group.what == kind::single && group.always == feature::causal_top_left;
  return bottom && !(top && prefers_top) ? causal_anchor::bottom_right : causal_anchor::top_left;
}

double choose_scale(const feature_group& group, chooser& choose) {
  if (group.what == kind::vast) return scale_of_vast(choose);
  return choose.among(std::array<double, 6>{0.1, 2, -2, -0.75, 0, 1});
}

layout choose_layout(const feature_group& group, chooser& choose) {
  if (group.what == kind::vast) return layout_of_vast(choose);
  return choose.among(std::array<layout, 6>{layout::blhd, layout::fused, layout::reversed,
                                            layout::spread, layout::mirrored, layout::shared});
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

// Narrower and wider than a tile, and than the keys.
window large_window(std::int64_t keys, chooser& choose) {
  const window w{
      choose.among(std::array<std::int64_t, 10>{0, 1, 5, 15, 31, 33, 64, 100, keys / 2, -1}),
      choose.among(std::array<std::int64_t, 6>{0, 0, 1, 16, 33, -1})};
  return w.open() ? window{keys / 3, 0} : w;
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

// Sizes that divide the number of keys and that don't, and one that holds them all.
std::int64_t choose_page(std::int64_t keys, bool large, chooser& choose) {
  const std::int64_t all = std::max<std::int64_t>(keys, 1);
  return large ? choose.among(std::array<std::int64_t, 8>{1, 7, 16, 16, 32, 64, 128, all})
               : choose.among(std::array<std::int64_t, 8>{1, 2, 3, 4, 5, 8, 16, all});
}

// The axes of a mask or bias that the group is about, or any.
unsigned choose_axes(feature what, const feature_group& group, const draw& d, chooser& choose) {
  const auto any = static_cast<unsigned>(choose.below(axis_choices));
  if (group.is_large()) return choose.one_in(2) ? every_axis : any;
  return group.what == kind::single && group.always == what ? own_axes(group, d) : any;
}

}  // namespace

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

void choose_details(problem_spec& spec, feature_set features, const feature_group& group,
                    const draw& d, chooser& choose) {
  if (features.has(feature::mask)) spec.mask_axes = choose_axes(feature::mask, group, d, choose);
  if (features.has(feature::bias)) spec.bias_axes = choose_axes(feature::bias, group, d, choose);
  spec.infinite_bias = features.has(feature::infinite_bias) && spec.bias_axes;
  spec.causal = choose_causal(features, group);
  if (features.has(feature::window))
    spec.sliding = group.is_large() ? large_window(spec.dims.keys, choose) : choose_window(choose);
  spec.pattern = choose_pattern(features, group.is_large(), choose);
  if (features.has(feature::block_mask))
    spec.block_axes = choose_axes(feature::block_mask, group, d, choose) | queries_and_keys;
  spec.packed = features.has(feature::segments);
  spec.alibi = features.has(feature::alibi);
  spec.ragged = features.has(feature::lengths);
  spec.sink = features.has(feature::sink);
  if (features.has(feature::soft_cap))
    spec.soft_cap = choose.among(std::array<double, 3>{0.5, 5, 50});
  if (features.has(feature::scale)) spec.scale = choose_scale(group, choose);
  if (features.has(feature::dropout)) {
    spec.dropout_axes = choose_axes(feature::dropout, group, d, choose);
    spec.dropout_scale = choose_dropout_scale(spec.regime, choose);
  }
  if (features.has(feature::strides)) spec.placed = choose_layout(group, choose);
  if (features.has(feature::pages))
    spec.page = choose_page(spec.dims.keys, group.is_large(), choose);
}

}  // namespace attest
