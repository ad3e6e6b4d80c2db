// What the editions of ONNX's Attention chose differently: beside the semantics, how heads lie in
// inputs of rank 3, where queries stand, and what an intermediate result is called.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "properties/onnx/attention_call.h"
#include "reference/semantics/semantics.h"

namespace attest {

// How inputs of rank 3, [B, L, H D], become [B, H, L, D]: by transposing, or by reading the same
// numbers as [B, H, L, D]. Outputs are transposed back in both.
enum class packed_heads : std::uint8_t { transposed, reshaped };

// At which key the first query stands, for causal masks and windows: at the first of all; behind
// those of past_key; there or, without past_key, so that the last query stands at the last of the
// nonpad_kv_seqlen keys.
enum class first_position : std::uint8_t { first_key, after_past, after_past_or_valid };

// What qk_matmul_output_mode 1 and 2 give: the score after the soft cap and after mask and bias, or
// the reverse.
enum class mode_numbers : std::uint8_t { cap_1_bias_2, bias_1_cap_2 };

// What qk_matmul_output_mode 3 holds for a row without keys.
enum class empty_weights : std::uint8_t { zero, nan };

// Whether a mask whose last size is below the number of keys masks those that it does not reach, or
// has to broadcast.
enum class short_masks : std::uint8_t { mask_the_rest, broadcast };

struct onnx_conventions {
  semantics rules;
  packed_heads packed = packed_heads::transposed;
  first_position position = first_position::after_past_or_valid;
  mode_numbers modes = mode_numbers::cap_1_bias_2;
  empty_weights on_empty_weights = empty_weights::zero;
  short_masks masks = short_masks::mask_the_rest;

  friend bool operator==(const onnx_conventions&, const onnx_conventions&) = default;
};

// One field by name, as reference/semantics/fields.h has those of the semantics.
struct convention_field {
  std::string_view name;
  std::span<const std::string_view> values;
  std::size_t (*get)(const onnx_conventions&);
  void (*set)(onnx_conventions&, std::size_t value);
  // Whether the answers to a call can depend on it.
  bool (*matters)(const attention_call&);
};

std::span<const convention_field> convention_fields();

// Computes: "heads=tile, packed_heads=reshaped": the fields that matter to the call.
std::string conventions_text(const onnx_conventions&, const attention_call&);

// An edition of the standard.
struct onnx_edition {
  std::string_view name;  // of the first release that has these conventions
  onnx_conventions conventions;
  std::string_view about;  // a sentence
};

// From the oldest to the newest.
std::span<const onnx_edition> onnx_editions();

// Error: input_error for a name not on the list.
const onnx_edition& find_onnx_edition(std::string_view name);

// Computes: the same conventions where they matter to the call, the newest edition's elsewhere: two
// editions that agree on it give the same.
onnx_conventions what_matters(const onnx_conventions&, const attention_call&);

}  // namespace attest
