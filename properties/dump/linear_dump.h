// What a program stored of one linear attention: its inputs, its outputs and its last state.
#pragma once

#include "properties/dump/dump.h"
#include "properties/exchange/array.h"
#include "properties/onnx/linear_call.h"

namespace attest {

// How the arrays are read.
struct linear_reading {
  feature_map map = feature_map::identity;
  bool normalised = false;
  std::optional<double> scale;
  axis_order order = axis_order::bhld;
};

// Shapes: q [B, Hq, L, D], k [B, Hkv, L, D], v [B, Hkv, L, Dv], and o as v with Hq heads; where
// there
//   are any, decay [B, Hkv, L] or [B, Hkv, L, C], rate [B, Hkv, L] (of a delta rule), erase
//   [B, Hkv, L, C]; state and state_out [B, Hkv, C, Dv], before and after. C is D, or A of draws
//   [Hkv, A, D], which are there with exp_features. In the order blhd heads come after positions in
//   all but states and draws. o or state_out is there.
// Error: input_error naming `where`, the array and what does not fit.
linear_call to_linear_call(named_arrays, const linear_reading&, const std::string& where);

}  // namespace attest
