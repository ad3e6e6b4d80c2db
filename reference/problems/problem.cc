#include "reference/problems/problem.h"

#include <cmath>

namespace attest {
namespace {

bool holds_infinity(const tensor& t) {
  bool found = false;
  for_each_index(t.sizes(), [&](const index4& i) { found = found || std::isinf(t.at(i)); });
  return found;
}

bool is_plain(const placement& p) {
  const placement dense = place(layout::bhld, p.sizes);
  return p.strides == dense.strides && p.offset == 0;
}

}  // namespace

feature_set problem::asks() const {
  feature_set set;
  const auto ask = [&](bool asked, feature f) {
    if (asked) set = set.with(f);
  };
  ask(mask.has_value(), feature::mask);
  ask(bias.has_value(), feature::bias);
  ask(bias && holds_infinity(*bias), feature::infinite_bias);
  ask(causal == causal_anchor::top_left, feature::causal_top_left);
  ask(causal == causal_anchor::bottom_right, feature::causal_bottom_right);
  ask(!sliding.open(), feature::window);
  ask(!lengths.empty(), feature::lengths);
  ask(dims.query_heads != dims.kv_heads, feature::grouped_heads);
  ask(scale.has_value(), feature::scale);
  ask(soft_cap > 0, feature::soft_cap);
  ask(!sink.empty(), feature::sink);
  ask(!query_segments.empty(), feature::segments);
  ask(pattern.dilation != 1, feature::dilation);
  ask(pattern.chunk != 0, feature::chunks);
  ask(pattern.global_keys != 0, feature::global_keys);
  ask(block_mask.has_value(), feature::block_mask);
  ask(!slopes.empty(), feature::alibi);
  ask(dropout_mask.has_value(), feature::dropout);
  ask(paged.page != 0, feature::pages);
  ask(dims.queries != dims.keys, feature::cross_lengths);
  ask(dims.width != dims.value_width, feature::value_width);
  ask(!is_plain(q.where()) || !is_plain(k.where()) || !is_plain(v.where()) ||
          answer_layout != layout::bhld,
      feature::strides);
  return set;
}

double problem::scale_or_usual() const { return scale.value_or(usual_scale(rules, dims.width)); }

double usual_scale(const semantics& rules, std::int64_t width) {
  return rules.divides_by_root_of_width() ? 1 / std::sqrt(static_cast<double>(width)) : 1;
}

std::int64_t problem::valid_keys(std::int64_t b) const {
  return lengths.empty() ? dims.keys : lengths[static_cast<std::size_t>(b)];
}

std::int64_t problem::kv_head(std::int64_t h) const {
  return rules.heads == head_map::tile ? h % dims.kv_heads : h / (dims.query_heads / dims.kv_heads);
}

}  // namespace attest
