#include "properties/onnx/conventions.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "reference/input_error.h"
#include "reference/semantics/profiles.h"

namespace attest {
namespace {

using call = attention_call;

bool masks_keys(const call& c) {
  return c.attn_mask || c.given.is_causal || c.nonpad_kv_seqlen || !c.given.sliding.open();
}
bool has_positions(const call& c) { return c.given.is_causal || !c.given.sliding.open(); }
bool has_soft_cap(const call& c) { return c.given.softcap > 0; }
bool asks_mode(const call& c, std::int64_t low, std::int64_t high) {
  const std::int64_t mode = c.given.qk_matmul_output_mode;
  return c.qk_matmul_output && low <= mode && mode <= high;
}
bool has_short_mask(const call& c) {
  return c.attn_mask && !c.attn_mask->sizes.empty() && c.attn_mask->sizes.back() < c.dims.keys;
}

// Whether the mask leaves a row nothing: of all its keys or, for a causal call, of the first, which
// may be the only one that is reached.
bool mask_may_empty_a_row(const call& c) {
  const array& mask = *c.attn_mask;
  const std::int64_t reach = mask.sizes.empty() ? 1 : mask.sizes.back();
  if (reach == 0) return true;
  const auto is_kept = [&](std::size_t n) {
    const double x = mask.values[n];
    return mask.kind == element_kind::boolean ? x != 0 : !(std::isinf(x) && x < 0);
  };
  const auto width = static_cast<std::size_t>(reach), last = has_positions(c) ? 1 : width;
  for (std::size_t row = 0; row < mask.values.size(); row += width) {
    bool any = false;
    for (std::size_t n = 0; n < last; ++n) any = any || is_kept(row + n);
    if (!any) return true;
  }
  return false;
}

// Whether some row may have no key.
bool may_have_empty_rows(const call& c) {
  if (c.dims.keys == 0 || !c.given.sliding.open()) return true;
  if (c.attn_mask && (c.nonpad_kv_seqlen || mask_may_empty_a_row(c))) return true;
  if (!c.nonpad_kv_seqlen) return false;
  const double least = c.given.is_causal ? static_cast<double>(c.dims.queries) : 1;
  return std::any_of(c.nonpad_kv_seqlen->values.begin(), c.nonpad_kv_seqlen->values.end(),
                     [&](double n) { return n < least; });
}

template <class Enumerator>
std::size_t number_of(Enumerator e) {
  return static_cast<std::size_t>(e);
}

constexpr std::string_view head_names[] = {"repeat", "tile"};
constexpr std::string_view packed_names[] = {"transposed", "reshaped"};
constexpr std::string_view position_names[] = {"first_key", "after_past", "after_past_or_valid"};
constexpr std::string_view cap_names[] = {"before_mask", "after_mask"};
constexpr std::string_view mode_names[] = {"cap_1_bias_2", "bias_1_cap_2"};
constexpr std::string_view row_names[] = {"zero", "nan"};
constexpr std::string_view mask_names[] = {"mask_the_rest", "broadcast"};

constexpr convention_field fields[] = {
    {"heads", head_names, [](const onnx_conventions& o) { return number_of(o.rules.heads); },
     [](onnx_conventions& o, std::size_t v) { o.rules.heads = static_cast<head_map>(v); },
     [](const call& c) { return c.dims.kv_heads > 1 && c.dims.kv_heads < c.dims.query_heads; }},
    {"packed_heads", packed_names, [](const onnx_conventions& o) { return number_of(o.packed); },
     [](onnx_conventions& o, std::size_t v) { o.packed = static_cast<packed_heads>(v); },
     [](const call& c) { return c.is_packed(); }},
    {"first_position", position_names,
     [](const onnx_conventions& o) { return number_of(o.position); },
     [](onnx_conventions& o, std::size_t v) { o.position = static_cast<first_position>(v); },
     [](const call& c) { return has_positions(c) && (c.past_keys > 0 || c.nonpad_kv_seqlen); }},
    {"soft_cap", cap_names,
     [](const onnx_conventions& o) { return std::size_t{o.rules.caps_bias()}; },
     [](onnx_conventions& o, std::size_t v) {
       o.rules.cap = v == 0 ? cap_order::before_bias : cap_order::after_mask;
     },
     [](const call& c) { return has_soft_cap(c) && (masks_keys(c) || asks_mode(c, 1, 2)); }},
    {"qk_matmul_output_mode", mode_names,
     [](const onnx_conventions& o) { return number_of(o.modes); },
     [](onnx_conventions& o, std::size_t v) { o.modes = static_cast<mode_numbers>(v); },
     [](const call& c) { return asks_mode(c, 1, 2) && (has_soft_cap(c) || masks_keys(c)); }},
    {"empty_rows", row_names,
     [](const onnx_conventions& o) { return std::size_t{o.rules.on_empty_row == empty_row::nan}; },
     [](onnx_conventions& o, std::size_t v) {
       o.rules.on_empty_row = v == 0 ? empty_row::zero : empty_row::nan;
       o.rules.on_infinite_bias = v == 0 ? infinite_bias::removes_key : infinite_bias::weighs_0;
     },
     may_have_empty_rows},
    {"empty_weights", row_names,
     [](const onnx_conventions& o) { return number_of(o.on_empty_weights); },
     [](onnx_conventions& o, std::size_t v) { o.on_empty_weights = static_cast<empty_weights>(v); },
     [](const call& c) { return asks_mode(c, 3, 3) && may_have_empty_rows(c); }},
    {"short_masks", mask_names, [](const onnx_conventions& o) { return number_of(o.masks); },
     [](onnx_conventions& o, std::size_t v) { o.masks = static_cast<short_masks>(v); },
     has_short_mask},
};

std::vector<onnx_edition> make_editions() {
  const onnx_conventions first{.rules = find_profile("onnx-attention-23-1.18"),
                               .packed = packed_heads::reshaped,
                               .position = first_position::first_key,
                               .modes = mode_numbers::bias_1_cap_2,
                               .on_empty_weights = empty_weights::nan,
                               .masks = short_masks::broadcast};
  onnx_conventions second = first;
  second.packed = packed_heads::transposed;
  second.masks = short_masks::mask_the_rest;
  onnx_conventions third = second;
  third.rules = find_profile("onnx-attention-23-1.21");
  third.position = first_position::after_past;
  return {
      {"1.18", first,
       "inputs of rank 3 are reshaped, heads tile, queries stand at the first key, the cap acts on "
       "masked scores and mode 2 gives it, empty rows are NaN"},
      {"1.19", second, "inputs of rank 3 are transposed, short masks mask the rest"},
      {"1.19.1", third, "heads repeat, queries stand behind the past"},
      {"1.22",
       {.rules = find_profile("onnx-attention-23-1.22")},
       "the cap acts before bias and mask and mode 1 gives it, queries stand at the last valid "
       "keys, empty rows are 0"},
  };
}

const std::vector<onnx_edition>& editions() {
  static const std::vector<onnx_edition> list = make_editions();
  return list;
}

}  // namespace

std::span<const convention_field> convention_fields() { return fields; }

std::string conventions_text(const onnx_conventions& o, const attention_call& c) {
  std::string text;
  for (const convention_field& f : fields)
    if (f.matters(c))
      text +=
          (text.empty() ? "" : ", ") + std::string(f.name) + "=" + std::string(f.values[f.get(o)]);
  return text;
}

std::span<const onnx_edition> onnx_editions() { return editions(); }

const onnx_edition& find_onnx_edition(std::string_view name) {
  std::string allowed;
  for (const onnx_edition& e : editions()) {
    if (e.name == name) return e;
    allowed += (allowed.empty() ? "" : ", ") + std::string(e.name);
  }
  throw input_error("unknown edition '" + std::string(name) + "' (allowed: " + allowed + ")");
}

onnx_conventions what_matters(const onnx_conventions& o, const attention_call& c) {
  onnx_conventions same = editions().back().conventions;
  for (const convention_field& f : fields)
    if (f.matters(c)) f.set(same, f.get(o));
  return same;
}

}  // namespace attest
