#include "reference/semantics/profiles.h"

#include <algorithm>
#include <string>

#include "reference/input_error.h"
#include "reference/semantics/fields.h"
#include "reference/text.h"

namespace attest {
namespace {

// What no lse is returned for, and what a matrix product with masked V leaves open, stays at its
// default.
constexpr profile profiles[] = {
    {"attest", {}, "empty rows are 0 with lse -inf, heads repeat, the cap acts before the bias"},
    {"torch-sdpa",
     {.on_empty_row = empty_row::nan, .on_empty_lse = empty_lse::unspecified},
     "the math path of PyTorch 1.13: the softmax of an empty row is NaN"},
    {"flash-attention-2",
     {.on_empty_lse = empty_lse::plus_infinity},
     "empty rows are 0 with lse +inf"},
    {"base-2-lse", {.base = lse_base::two}, "lse in base 2, as kernels that use exp2 keep it"},
    {"tiled-heads", {.heads = head_map::tile}, "query head h is served by KV head h mod Hkv"},
    {"finite-sentinel",
     {.on_empty_row = empty_row::mean_of_values, .on_empty_lse = empty_lse::unspecified},
     "masked scores are a large negative number, so that an empty row is the mean of V"},
    {"unspecified-empty",
     {.on_empty_row = empty_row::unspecified, .on_empty_lse = empty_lse::unspecified},
     "an empty row may hold anything"},
    {"torch-sdpa-2.5",
     {.on_empty_lse = empty_lse::unspecified},
     "PyTorch since 2.5: the softmax of an empty row is 0; a boolean mask keeps where it is true"},
    {"torch-multi-head-attention",
     {.on_empty_row = empty_row::nan,
      .on_empty_lse = empty_lse::unspecified,
      .polarity = mask_polarity::true_masks},
     "torch.nn.MultiheadAttention: a boolean mask masks where it is true; empty rows are NaN"},
    {"ggml",
     {.on_empty_lse = empty_lse::unspecified, .slots = masked_slots::never_read},
     "ggml_flash_attn_ext on the CPU: a key of mask -inf is skipped unread; empty rows are 0"},
    {"onnx-attention-23-1.18",
     {.on_empty_row = empty_row::nan,
      .on_empty_lse = empty_lse::unspecified,
      .heads = head_map::tile,
      .cap = cap_order::after_mask,
      .on_infinite_bias = infinite_bias::weighs_0},
     "ONNX 1.18, the first edition of Attention: heads tile, the cap acts on the masked scores"},
    {"onnx-attention-23-1.21",
     {.on_empty_row = empty_row::nan,
      .on_empty_lse = empty_lse::unspecified,
      .cap = cap_order::after_mask,
      .on_infinite_bias = infinite_bias::weighs_0},
     "ONNX 1.21: heads repeat, the cap still acts on the masked scores"},
    {"onnx-attention-23-1.22",
     {.on_empty_lse = empty_lse::unspecified},
     "ONNX 1.22: the cap acts before bias and mask, empty rows are 0"},
    {"onnx-attention-24",
     {.on_empty_lse = empty_lse::unspecified},
     "as 23 in ONNX 1.22, with the number of valid keys a batch row"},
    {"onnx-attention-25", {.on_empty_lse = empty_lse::unspecified}, "as 24, with a local window"},
};

std::string names() {
  std::string all;
  for (const profile& p : profiles) all += (all.empty() ? "" : ", ") + std::string(p.name);
  return all;
}

const semantics& find_named(std::string_view name) {
  for (const profile& p : profiles)
    if (p.name == name) return p.rules;
  throw input_error("unknown profile '" + std::string(name) + "' (allowed: " + names() + ")");
}

}  // namespace

std::span<const profile> all_profiles() { return profiles; }

semantics find_profile(std::string_view text) {
  const auto parts = split(text, ',');
  semantics rules = find_named(parts.front());
  for (std::size_t n = 1; n < parts.size(); ++n) rules = with_field(rules, parts[n]);
  return rules;
}

std::string profile_text(const semantics& rules) {
  const auto same = [&](const profile& p) { return p.rules == rules; };
  const auto* found = std::find_if(std::begin(profiles), std::end(profiles), same);
  if (found != std::end(profiles)) return std::string(found->name);
  const profile& usual = profiles[0];
  return std::string(usual.name) + "," + differences(rules, usual.rules);
}

}  // namespace attest
