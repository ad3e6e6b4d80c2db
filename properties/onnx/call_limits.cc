#include "properties/onnx/call_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "properties/selection.h"

namespace attest {
namespace {

using enum size_name;

constexpr std::string_view names[size_names] = {"B", "Hq", "Hkv", "Lq", "Lk", "D", "Dv"};
constexpr std::int64_t shape::*fields[size_names] = {
    &shape::batch, &shape::query_heads, &shape::kv_heads,   &shape::queries,
    &shape::keys,  &shape::width,       &shape::value_width};

std::string wrong_size(const call_limits& l, const shape& dims) {
  for (std::size_t n = 0; n < size_names; ++n)
    if (l.sizes[n] && *l.sizes[n] != dims.*fields[n])
      return fmt::format("{}={} (it has {})", names[n], dims.*fields[n], *l.sizes[n]);
  for (const auto& [one, other] : l.equal)
    if (size_of(dims, one) != size_of(dims, other))
      return fmt::format("{}={} beside {}={} (they are equal)", name_of(one), size_of(dims, one),
                         name_of(other), size_of(dims, other));
  if (dims.width % l.width_multiple != 0)
    return fmt::format("D={} (it has multiples of {})", dims.width, l.width_multiple);
  if (dims.keys < l.least_keys)
    return fmt::format("Lk={} (it has {} or more)", dims.keys, l.least_keys);
  if (l.keys_beyond_queries && dims.keys - dims.queries != *l.keys_beyond_queries)
    return fmt::format("Lq={}, Lk={} (it has {} more keys than queries)", dims.queries, dims.keys,
                       *l.keys_beyond_queries);
  if (l.no_more_queries_than_keys && dims.queries > dims.keys)
    return fmt::format("Lq={}, Lk={} (it has no more queries than keys)", dims.queries, dims.keys);
  return "";
}

// With as many queries as keys both anchors are one.
bool is_same_triangle(const call_limits& l, const problem& p) {
  if (p.causal == l.causal) return true;
  const bool both = p.causal != causal_anchor::none && l.causal != causal_anchor::none;
  return both && p.dims.queries == p.dims.keys && p.lengths.empty();
}

double scale_of(const std::optional<double>& given, const shape& dims) {
  return given ? *given : 1 / std::sqrt(static_cast<double>(dims.width));
}

std::string wrong_setting(const call_limits& l, const problem& p) {
  if (!is_same_triangle(l, p)) return "another causal triangle";
  if (!(p.sliding == l.sliding)) return "another window";
  if (p.soft_cap != l.soft_cap) return "another soft cap";
  if (l.scale && scale_of(p.scale, p.dims) != *l.scale) return "another scale";
  if (l.sink == p.sink.empty()) return l.sink ? "no sink" : "a sink";
  return "";
}

bool varies_beyond(const placement& where, unsigned axes) {
  return (varying_axes(where) & ~axes) != 0;
}

void fix_sizes(shape& dims, const call_limits& l) {
  for (const auto& [one, other] : l.equal) size_of(dims, other) = size_of(dims, one);
  for (std::size_t n = 0; n < size_names; ++n)
    if (l.sizes[n]) dims.*fields[n] = *l.sizes[n];
  // A fixed size fixes its equal.
  for (const auto& [one, other] : l.equal)
    (l.fixed(one) ? size_of(dims, other) : size_of(dims, one)) =
        l.fixed(one) ? size_of(dims, one) : size_of(dims, other);
}

std::int64_t multiple_from(std::int64_t size, std::int64_t of) { return (size + of - 1) / of * of; }

void fix_lengths(shape& dims, const call_limits& l) {
  if (l.no_more_queries_than_keys && dims.queries > dims.keys) std::swap(dims.queries, dims.keys);
  if (!l.fixed(keys)) dims.keys = std::max(dims.keys, l.least_keys);
  if (!l.keys_beyond_queries) return;
  if (l.fixed(queries))
    dims.keys = dims.queries + *l.keys_beyond_queries;
  else if (l.fixed(keys))
    dims.queries = dims.keys - *l.keys_beyond_queries;
  else
    dims.keys = dims.queries + *l.keys_beyond_queries;
}

// The KV heads give way, and then the query heads.
void fix_heads(shape& dims, const call_limits& l) {
  if (dims.kv_heads > 0 && dims.query_heads % dims.kv_heads == 0) return;
  if (!l.fixed(kv_heads)) dims.kv_heads = 1;
  if (l.fixed(kv_heads) && !l.fixed(query_heads)) dims.query_heads = dims.kv_heads;
}

}  // namespace

std::string_view name_of(size_name n) { return names[static_cast<std::size_t>(n)]; }
std::int64_t& size_of(shape& dims, size_name n) {
  return dims.*fields[static_cast<std::size_t>(n)];
}
std::int64_t size_of(const shape& dims, size_name n) {
  return dims.*fields[static_cast<std::size_t>(n)];
}

bool call_limits::are_equal(size_name one, size_name other) const {
  if (fixed(one) && fixed(other)) return *fixed(one) == *fixed(other);
  return std::any_of(equal.begin(), equal.end(), [&](const auto& pair) {
    return (pair.first == one && pair.second == other) ||
           (pair.first == other && pair.second == one);
  });
}

std::string why_not_taken(const call_limits& l, const problem& p) {
  if (std::string size = wrong_size(l, p.dims); !size.empty()) return size;
  if (std::string setting = wrong_setting(l, p); !setting.empty()) return setting;
  if (p.mask && varies_beyond(p.mask->where(), l.mask_axes)) return "a mask of more axes";
  return p.bias && varies_beyond(p.bias->where(), l.bias_axes) ? "a bias of more axes" : "";
}

std::optional<problem_spec> fitted(problem_spec spec, const call_limits& l) {
  fix_sizes(spec.dims, l);
  if (!l.fixed(width)) spec.dims.width = multiple_from(spec.dims.width, l.width_multiple);
  if (l.are_equal(width, value_width)) spec.dims.value_width = spec.dims.width;
  fix_lengths(spec.dims, l);
  fix_heads(spec.dims, l);
  spec.causal = l.causal;
  spec.sliding = l.sliding;
  spec.soft_cap = l.soft_cap;
  spec.scale = l.scale;
  spec.sink = l.sink;
  if (spec.mask_axes) *spec.mask_axes &= l.mask_axes;
  if (spec.bias_axes) *spec.bias_axes &= l.bias_axes;
  const bool heads_divide =
      spec.dims.kv_heads > 0 && spec.dims.query_heads % spec.dims.kv_heads == 0;
  return heads_divide ? std::optional(spec) : std::nullopt;
}

}  // namespace attest
