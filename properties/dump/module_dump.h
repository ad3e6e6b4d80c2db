// What a program stored of one module of attention: its input, its weights and its output.
#pragma once

#include <string>

#include "properties/exchange/array.h"
#include "reference/modules/attention_module.h"

namespace attest {

// How the arrays are read.
struct module_reading {
  std::int64_t heads = 1, kv_heads = 0;  // 0: as many
  bool causal = true;
  std::optional<double> scale = {};
  bool outputs_first = false;  // weights are [out, in], as in PyTorch's Linear
};

struct module_dump {
  attention_module module;
  array o;  // [B, T, outputs]
  const format* inputs = &f32;
};

// Shapes: x [B, T, C] or [T, C]; w_q [C, H D], w_k [C, Hkv D], w_v [C, Hkv Dv], the columns of one
// head
//   beside each other, or one matrix a head, [H, C, D]; where there are any, b_q, b_k, b_v [H D],
//   w_o [H Dv, E], b_o [E]; o [B, T, E], or [T, E].
// Error: input_error naming `where`, the array and what does not fit.
module_dump to_module_dump(named_arrays, const module_reading&, const std::string& where);

}  // namespace attest
