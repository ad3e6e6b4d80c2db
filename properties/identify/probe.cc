#include "properties/identify/probe.h"

#include <fmt/format.h>

#include <cmath>

#include "reference/problems/problem_spec.h"

namespace attest {
namespace {

constexpr unsigned key_axis = 0b1000;

tensor filled(const format& element, const index4& sizes, double value) {
  tensor t(element, place(layout::bhld, sizes), 0);
  for_each_index(sizes, [&](const index4& i) { t.set(i, value); });
  return t;
}

problem zero_problem(const probe_site& site, const shape& dims) {
  problem p;
  p.dims = dims;
  p.rules = site.known;
  p.q = filled(*site.inputs, dims.q_sizes(), 0);
  p.k = filled(*site.inputs, dims.k_sizes(), 0);
  p.v = filled(*site.inputs, dims.v_sizes(), 0);
  return p;
}

shape repeated(const probe_site& site, std::int64_t queries, std::int64_t keys) {
  const std::int64_t heads = site.repeated ? 3 : 1;
  return {site.repeated ? 2 : 1, heads, heads, queries, keys, 1, 1};
}

std::string number(double x) { return std::isnan(x) ? "nan" : fmt::format("{:.6g}", x); }

std::string list(const std::vector<std::string>& items) {
  if (items.size() == 1) return items.front();
  return fmt::format("[{}]", fmt::join(items, " "));
}

// The column of the first batch row and head.
std::string column_text(const tensor& t, std::int64_t head) {
  std::vector<std::string> items;
  for (std::int64_t l = 0; l < t.sizes()[2]; ++l) items.push_back(number(t.at(0, head, l, 0)));
  return list(items);
}

// Heads side by side where they differ.
std::string heads_text(const tensor& t) {
  std::vector<std::string> heads;
  for (std::int64_t h = 0; h < t.sizes()[1]; ++h) heads.push_back(column_text(t, h));
  for (const std::string& each : heads)
    if (each != heads.front()) return list(heads);
  return heads.front();
}

std::string size_text(const shape& s) {
  std::string text;
  if (s.batch * s.query_heads > 1)
    text = fmt::format(" B={} Hq={} Hkv={}", s.batch, s.query_heads, s.kv_heads);
  if (s.batch > 1 && s.query_heads == s.kv_heads) text += " (all alike)";
  return text + fmt::format(" Lq={} Lk={} D=1 Dv=1", s.queries, s.keys);
}

std::string mask_text(const problem& p) {
  const bool inverted = p.rules.polarity == mask_polarity::true_masks;
  std::vector<std::string> items;
  for (std::int64_t j = 0; j < p.dims.keys; ++j)
    items.push_back(p.mask->at({0, 0, 0, j}) != inverted ? "1" : "0");
  return list(items);
}

std::string bias_text(const problem& p) {
  std::vector<std::string> items;
  for (std::int64_t j = 0; j < p.dims.keys; ++j) items.push_back(number(p.bias->at(0, 0, 0, j)));
  return list(items);
}

std::string causal_text(causal_anchor anchor) {
  if (anchor == causal_anchor::none) return "";
  return anchor == causal_anchor::top_left ? ", causal=top_left" : ", causal=bottom_right";
}

}  // namespace

problem wide_probe(const probe_site& site, std::int64_t queries, const std::vector<double>& v) {
  problem p = zero_problem(site, repeated(site, queries, std::ssize(v)));
  for_each_index(p.v.sizes(),
                 [&](const index4& i) { p.v.set(i, v[static_cast<std::size_t>(i[2])]); });
  return p;
}

problem square_probe(const probe_site& site, const std::vector<double>& v) {
  return wide_probe(site, std::ssize(v), v);
}

problem row_probe(const probe_site& site, const std::vector<double>& v) {
  return site.declared.has(feature::cross_lengths) ? wide_probe(site, 1, v) : square_probe(site, v);
}

problem heads_probe(const probe_site& site, std::int64_t query_heads, std::int64_t kv_heads) {
  problem p = zero_problem(site, {site.repeated ? 2 : 1, query_heads, kv_heads, 1, 1, 1, 1});
  for_each_index(p.v.sizes(), [&](const index4& i) { p.v.set(i, static_cast<double>(i[1] + 1)); });
  return p;
}

problem with_mask(problem p, const std::vector<bool>& kept) {
  p.mask = boolean_tensor(broadcast(p.dims.score_sizes(), key_axis));
  for (std::size_t j = 0; j < kept.size(); ++j)
    p.mask->set({0, 0, 0, static_cast<std::int64_t>(j)}, kept[j]);
  return p;
}

problem with_bias(problem p, const std::vector<double>& bias) {
  p.bias = tensor(side_format(p.q.element()), broadcast(p.dims.score_sizes(), key_axis), 0);
  for (std::size_t j = 0; j < bias.size(); ++j)
    p.bias->set({0, 0, 0, static_cast<std::int64_t>(j)}, bias[j]);
  return p;
}

problem with_sink(problem p, double logit) {
  p.sink.assign(static_cast<std::size_t>(p.dims.query_heads), logit);
  return p;
}

problem with_slopes(problem p, double slope) {
  p.slopes.assign(static_cast<std::size_t>(p.dims.query_heads), slope);
  return p;
}

problem with_lengths(problem p, std::int64_t length) {
  p.lengths.assign(static_cast<std::size_t>(p.dims.batch), length);
  return p;
}

problem with_q(problem p, double q) {
  for_each_index(p.q.sizes(), [&](const index4& i) { p.q.set(i, q); });
  return p;
}

problem with_k(problem p, std::int64_t key, double k) {
  for_each_index(p.k.sizes(), [&](const index4& i) {
    if (i[2] == key) p.k.set(i, k);
  });
  return p;
}

std::string probe_text(const problem& p) {
  std::string text = std::string(p.q.element().name) + size_text(p.dims);
  text += fmt::format(", q={} k={} v={}", heads_text(p.q), heads_text(p.k), heads_text(p.v));
  if (p.mask) text += ", mask=" + mask_text(p);
  if (p.bias) text += ", bias=" + bias_text(p);
  if (!p.lengths.empty()) text += fmt::format(", lengths={}", p.lengths.front());
  text += causal_text(p.causal);
  if (!p.sliding.open()) text += fmt::format(", window={},{}", p.sliding.left, p.sliding.right);
  if (p.soft_cap > 0) text += ", soft_cap=" + number(p.soft_cap);
  if (!p.slopes.empty()) text += ", slopes=" + number(p.slopes.front());
  if (!p.sink.empty()) text += ", sink=" + number(p.sink.front());
  return text;
}

std::string answer_text(const problem& p, answer_part part, const tensor& t, std::int64_t query) {
  std::vector<std::string> items;
  bool all_alike = true;
  const std::size_t rows = query < 0 ? static_cast<std::size_t>(p.dims.queries) : 1;
  for_each_index({p.dims.batch, p.dims.query_heads, p.dims.queries, 1}, [&](const index4& i) {
    if (query >= 0 && i[2] != query) return;
    items.push_back(number(t.at(i)));
    all_alike = all_alike && items.back() == items[(items.size() - 1) % rows];
  });
  if (all_alike) items.resize(rows);
  const std::string name = part == answer_part::output ? "o" : "lse";
  return name + (query < 0 ? "" : fmt::format("[query {}]", query)) + " = " + list(items);
}

}  // namespace attest
