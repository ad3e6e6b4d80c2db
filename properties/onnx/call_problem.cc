#include "properties/onnx/call_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/definition/key_set.h"
#include "reference/formats/rounding.h"

namespace attest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

tensor dense(const format& element, const index4& sizes) {
  return {element, place(layout::bhld, sizes), 0};
}

// Calls set(index, value) for every number of an operand, as an element of [B, H, L, D].
template <class Set>
void for_each_element(const array& a, const index4& sizes, packed_heads packed, Set set) {
  const bool transposes = a.sizes.size() == 3 && packed == packed_heads::transposed;
  const index4 as_stored = transposes ? index4{sizes[0], sizes[2], sizes[1], sizes[3]} : sizes;
  std::size_t n = 0;
  for_each_index(as_stored, [&](const index4& i) {
    set(transposes ? index4{i[0], i[2], i[1], i[3]} : i, a.values[n++]);
  });
}

tensor to_tensor(const array& a, const index4& sizes, packed_heads packed) {
  tensor t = dense(*a.element, sizes);
  for_each_element(a, sizes, packed, [&](const index4& i, double x) { t.set(i, x); });
  return t;
}

// Keys or values: those of the past first.
tensor joined(const std::optional<array>& past, const array& fresh, const index4& all_sizes,
              std::int64_t past_keys, packed_heads packed) {
  tensor t = dense(*fresh.element, all_sizes);
  index4 past_sizes = all_sizes, fresh_sizes = all_sizes;
  past_sizes[2] = past_keys;
  fresh_sizes[2] -= past_keys;
  if (past)
    for_each_element(*past, past_sizes, packed, [&](const index4& i, double x) { t.set(i, x); });
  for_each_element(fresh, fresh_sizes, packed, [&](const index4& i, double x) {
    t.set({i[0], i[1], i[2] + past_keys, i[3]}, x);
  });
  return t;
}

// A mask laid out for the score sizes: where it varies, and what each cell holds. Keys that a short
// mask does not reach hold `beyond`.
template <class Set>
unsigned for_each_cell(const attention_call& c, short_masks rule, double beyond, Set set) {
  const index4 full = c.dims.score_sizes();
  index4 given{1, 1, 1, 1};
  std::copy_backward(c.attn_mask->sizes.begin(), c.attn_mask->sizes.end(), given.end());
  index4 cells = given;
  const bool short_of_keys = given[3] < full[3];
  if (short_of_keys && (rule == short_masks::mask_the_rest || given[3] != 1)) cells[3] = full[3];
  for_each_index(cells, [&](const index4& i) {
    const std::int64_t n = ((i[0] * given[1] + i[1]) * given[2] + i[2]) * given[3] + i[3];
    set(i, i[3] < given[3] ? c.attn_mask->values[static_cast<std::size_t>(n)] : beyond);
  });
  unsigned axes = 0;
  for (unsigned k = 0; k < 4; ++k)
    if (cells[k] == full[k]) axes |= 1u << k;
  return axes;
}

unsigned axes_of(const attention_call& c, short_masks rule) {
  return for_each_cell(c, rule, 0, [](const index4&, double) {});
}

void set_mask(problem& p, const attention_call& c, short_masks rule) {
  if (!c.attn_mask) return;
  const placement where = broadcast(p.dims.score_sizes(), axes_of(c, rule));
  if (c.attn_mask->kind == element_kind::boolean) {
    p.mask.emplace(where);
    for_each_cell(c, rule, 0, [&](const index4& i, double x) { p.mask->set(i, x != 0); });
    return;
  }
  // What is added to a score is brought to its format first.
  p.bias.emplace(*c.q.element, where, 0);
  for_each_cell(c, rule, -infinity, [&](const index4& i, double x) {
    p.bias->set(i, round_to(p.bias->element(), {}, x));
  });
}

// Where the first query of a batch row stands.
std::int64_t position_of_first(const attention_call& c, const onnx_conventions& o, std::int64_t b) {
  if (o.position == first_position::first_key) return 0;
  if (c.past_key) return c.past_keys;
  if (o.position == first_position::after_past || !c.nonpad_kv_seqlen) return 0;
  return static_cast<std::int64_t>(c.nonpad_kv_seqlen->values[static_cast<std::size_t>(b)]) -
         c.dims.queries;
}

std::vector<std::int64_t> lengths_of(const attention_call& c) {
  if (!c.nonpad_kv_seqlen) return {};
  return {c.nonpad_kv_seqlen->values.begin(), c.nonpad_kv_seqlen->values.end()};
}

// Whether the problem's own positions, anchored so, are those of the call.
bool says_positions(const problem& p, const attention_call& c, const onnx_conventions& o) {
  for (std::int64_t b = 0; b < p.dims.batch; ++b)
    if (position_offset(p, b) != position_of_first(c, o, b)) return false;
  return true;
}

bool reaches(const attention_call& c, std::int64_t position, std::int64_t j) {
  const window& w = c.given.sliding;
  if (c.given.is_causal && j > position) return false;
  if (w.left >= 0 && j < position - w.left) return false;
  return w.right < 0 || j <= position + w.right;
}

// Mask, causal triangle, window and lengths as one mask.
void mask_explicitly(problem& p, const attention_call& c, const onnx_conventions& o) {
  boolean_tensor all(broadcast(p.dims.score_sizes(), every_axis));
  for_each_index(p.dims.score_sizes(), [&](const index4& i) {
    const std::int64_t position = i[2] + position_of_first(c, o, i[0]);
    const bool kept =
        (!p.mask || p.mask->at(i)) && i[3] < p.valid_keys(i[0]) && reaches(c, position, i[3]);
    all.set(i, kept);
  });
  p.mask = std::move(all);
  p.lengths.clear();
}

// Sets the fields of the problem where they say it; result: whether they do.
bool set_positions(problem& p, const attention_call& c, const onnx_conventions& o) {
  const bool caps_them = p.soft_cap > 0 && p.rules.cap == cap_order::after_mask;
  const bool has_any = c.given.is_causal || !c.given.sliding.open();
  if (caps_them) return !has_any && p.lengths.empty();
  if (!has_any) return true;
  p.sliding = c.given.sliding;
  if (!c.given.is_causal) return says_positions(p, c, o);
  for (const causal_anchor anchor : {causal_anchor::top_left, causal_anchor::bottom_right}) {
    p.causal = anchor;
    if (says_positions(p, c, o)) return true;
  }
  return false;
}

void set_kept_keys(problem& p, const attention_call& c, const onnx_conventions& o) {
  p.lengths = lengths_of(c);
  if (set_positions(p, c, o)) return;
  p.causal = causal_anchor::none;
  p.sliding = {};
  mask_explicitly(p, c, o);
}

}  // namespace

tensor present_key(const attention_call& c, const onnx_conventions& o) {
  return joined(c.past_key, c.k, c.dims.k_sizes(), c.past_keys, o.packed);
}

tensor present_value(const attention_call& c, const onnx_conventions& o) {
  return joined(c.past_value, c.v, c.dims.v_sizes(), c.past_keys, o.packed);
}

problem to_problem(const attention_call& c, const onnx_conventions& o) {
  problem p;
  p.dims = c.dims;
  p.rules = o.rules;
  p.q = to_tensor(c.q, c.dims.q_sizes(), o.packed);
  p.k = present_key(c, o);
  p.v = present_value(c, o);
  p.scale = c.given.scale;
  p.soft_cap = c.given.softcap;
  set_mask(p, c, o.masks);
  set_kept_keys(p, c, o);
  return p;
}

tensor stored_output(const attention_call& c) {
  return to_tensor(*c.y, c.dims.o_sizes(), packed_heads::transposed);
}

tensor stored_scores(const attention_call& c) {
  return to_tensor(*c.qk_matmul_output, c.dims.score_sizes(), packed_heads::transposed);
}

}  // namespace attest
