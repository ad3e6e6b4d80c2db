#include "properties/onnx/posed_case.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "properties/explicit_mask.h"

namespace attest {
namespace {

constexpr std::int64_t opset = 24;

bool is_float(double x) { return static_cast<double>(static_cast<float>(x)) == x; }

bool has_empty_row(const problem& p) {
  bool found = false;
  for (row_index row; row.b < p.dims.batch; ++row.b)
    for (row.h = 0; row.h < p.dims.query_heads; ++row.h)
      for (row.i = 0; row.i < p.dims.queries; ++row.i) found = found || key_set(p, row).empty();
  return found;
}

// What an empty row is where it has one.
bool empties_to_zero(const problem& p) {
  return p.rules.on_empty_row == empty_row::unspecified ||
         (p.rules.on_empty_row == empty_row::zero &&
          p.rules.on_infinite_bias == infinite_bias::removes_key) ||
         !has_empty_row(p);
}

bool is_finite(const tensor& t) {
  bool finite = true;
  for_each_index(t.sizes(), [&](const index4& i) { finite = finite && std::isfinite(t.at(i)); });
  return finite;
}

// Where batch rows share their elements, the longest of them reads them.
void clear_beyond_lengths(tensor& t, const problem& p, std::size_t key_axis) {
  const std::int64_t longest = *std::max_element(p.lengths.begin(), p.lengths.end());
  const bool are_shared = t.where().strides[0] == 0;
  for_each_index(t.sizes(), [&](const index4& i) {
    if (i[key_axis] >= (are_shared ? longest : p.valid_keys(i[0]))) t.set(i, 0);
  });
}

// Nothing of K, V and the bias beyond a length is read; the operator multiplies it by 0.
problem with_zeros_beyond_lengths(problem p) {
  if (p.lengths.empty()) return p;
  clear_beyond_lengths(p.k, p, 2);
  clear_beyond_lengths(p.v, p, 2);
  if (p.bias) clear_beyond_lengths(*p.bias, p, 3);
  return p;
}

std::string why_refused(const problem& p) {
  const format& type = p.q.element();
  const auto same = [&](const format* f) { return *f == type; };
  const format* const types[] = {&f64, &f32, &f16, &bf16};
  if (std::none_of(std::begin(types), std::end(types), same)) return "the type of the inputs";
  if (p.rules.scored_by != scorer::scaled_dot || !p.rules.is_softmax())
    return "another scorer or normalizer";
  if (!p.sink.empty()) return "a sink";
  if (!p.slopes.empty()) return "slopes";
  if (p.dropout_mask) return "a mask of dropout";
  if (p.paged.page > 0) return "pages of a cache";
  if (p.scale && !is_float(*p.scale)) return "a scale that is no float";
  if (p.scale && *p.scale < 0) return "a scale below 0";
  if (!is_float(p.soft_cap)) return "a soft cap that is no float";
  const bool grouped = p.dims.kv_heads > 1 && p.dims.kv_heads < p.dims.query_heads;
  if (grouped && p.rules.heads == head_map::tile) return "heads that tile";
  if (p.soft_cap > 0 && (p.bias || p.mask) && p.rules.caps_bias()) return "a cap after the bias";
  if (p.bias && p.rules.on_lowest_bias == lowest_bias::masks) return "a lowest bias that masks";
  if (p.rules.slots == masked_slots::never_read && !(is_finite(p.k) && is_finite(p.v)))
    return "masked keys that are never read";
  return empties_to_zero(p) ? "" : "what an empty row is";
}

// Whether is_causal, with nonpad_kv_seqlen where queries stand at the end, says where they stand.
bool says_positions(const problem& p) {
  if (!p.sliding.open() || !p.pattern.open() || !p.key_segments.empty()) return false;
  return p.causal != causal_anchor::top_left || p.lengths.empty();
}

problem with_positions_in_mask(const problem& p) {
  problem masked = with_patterns_as_mask(p);
  masked.lengths.clear();
  masked.causal = causal_anchor::none;
  return masked;
}

// The sizes of a tensor that is broadcast to the scores: 1 where it does not vary, but not along
// the keys, where that would be a short mask.
std::vector<std::int64_t> sizes_of(const placement& where) {
  std::vector<std::int64_t> sizes;
  for (std::size_t k = 0; k < 4; ++k)
    sizes.push_back(k < 3 && where.strides[k] == 0 ? std::min<std::int64_t>(1, where.sizes[k])
                                                   : where.sizes[k]);
  return sizes;
}

template <class Value>
array to_array(const std::vector<std::int64_t>& sizes, const format* type, element_kind kind,
               Value value) {
  array a{type, sizes, {}, kind};
  for_each_index({sizes[0], sizes[1], sizes[2], sizes[3]},
                 [&](const index4& i) { a.values.push_back(value(i)); });
  return a;
}

array to_array(const tensor& t) {
  return to_array({t.sizes().begin(), t.sizes().end()}, &t.element(), element_kind::floating,
                  [&](const index4& i) { return t.at(i); });
}

array mask_array(const problem& p) {
  if (!p.bias)
    return to_array(sizes_of(p.mask->where()), nullptr, element_kind::boolean,
                    [&](const index4& i) { return p.mask->at(i) ? 1 : 0; });
  std::vector<std::int64_t> sizes = sizes_of(p.bias->where());
  if (p.mask)
    for (std::size_t k = 0; k < 4; ++k) sizes[k] = std::max(sizes[k], sizes_of(p.mask->where())[k]);
  return to_array(sizes, &p.q.element(), element_kind::floating, [&](const index4& i) {
    return p.mask && !p.mask->at(i) ? -std::numeric_limits<double>::infinity() : p.bias->at(i);
  });
}

array lengths_array(const problem& p) {
  array lengths{nullptr, {p.dims.batch}, {}, element_kind::integer};
  for (std::int64_t b = 0; b < p.dims.batch; ++b)
    lengths.values.push_back(static_cast<double>(p.valid_keys(b)));
  return lengths;
}

void add_input(posed_case& c, std::size_t slot, const char* name, array held) {
  std::vector<std::string>& inputs = c.model.nodes.front().inputs;
  inputs.resize(std::max(inputs.size(), slot + 1));
  inputs[slot] = name;
  c.model.inputs.push_back({name, onnx_data_type(held), held.sizes});
  c.inputs.push_back({name, std::move(held)});
}

void add_inputs(posed_case& c, const problem& p) {
  add_input(c, 0, "Q", to_array(p.q));
  add_input(c, 1, "K", to_array(p.k));
  add_input(c, 2, "V", to_array(p.v));
  if (p.mask || p.bias) add_input(c, 3, "attn_mask", mask_array(p));
  if (!p.lengths.empty() || p.causal == causal_anchor::bottom_right)
    add_input(c, 6, "nonpad_kv_seqlen", lengths_array(p));
}

void add_attributes(posed_case& c, const problem& p) {
  std::vector<onnx_attribute>& attributes = c.model.nodes.front().attributes;
  if (p.causal != causal_anchor::none) attributes.push_back({"is_causal", std::int64_t{1}});
  if (p.scale) attributes.push_back({"scale", *p.scale});
  if (p.soft_cap > 0) attributes.push_back({"softcap", p.soft_cap});
}

}  // namespace

onnx_data_set posed_case::with_output(const std::vector<double>& o) const {
  const onnx_value& y = model.outputs.front();
  return {"test_data_set_0",
          inputs,
          {{y.name, {inputs.front().held.element, y.sizes, o, element_kind::floating}}}};
}

posed_case to_onnx_case(const problem& asked) {
  posed_case c;
  const problem given = with_zeros_beyond_lengths(asked);
  c.refused = why_refused(given);
  if (!c.refused.empty()) return c;
  const problem p = says_positions(given) ? given : with_positions_in_mask(given);
  c.model.opset = opset;
  c.model.nodes.push_back({"Attention", "", {}, {"Y"}, {}});
  add_inputs(c, p);
  add_attributes(c, p);
  const index4 sizes = p.dims.o_sizes();
  c.model.outputs.push_back({"Y", c.model.inputs.front().data_type, {sizes.begin(), sizes.end()}});
  return c;
}

}  // namespace attest
