// A problem of linear attention: weights are products of features, without an exponential over the
// whole row, so that all keys and values of the past add up to one state.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include "reference/problems/problem.h"
#include "reference/tensors/tensor.h"

namespace attest {

// What is done to q and k first: to each element, or by draws to rows of them.
enum class feature_map : std::uint8_t {
  identity,
  elu_plus_1,    // x + 1 from 0 on, e^x below
  relu,          // max(x, 0)
  exp_features,  // exp(w_a . x - x . x / 2), one of each draw w_a: A in place of D
};

// Shapes: L positions, each a query and a key: dims.queries = dims.keys = L. q [B, Hq, L, D],
// k [B, Hkv, L, D], v [B, Hkv, L, Dv]; query head h is served by KV head h / R. A state has C
// channels, those of a row that has passed the feature map: A of exp_features, otherwise D.
struct linear_problem {
  shape dims;
  tensor q, k, v;
  feature_map map = feature_map::identity;
  std::optional<tensor> draws;  // w of exp_features, [1, Hkv, A, D]; absent with another map
  // Whether an output is divided by the sum of its weights. Then there is no state at the start.
  bool normalised = false;
  std::optional<tensor> decay;  // g, logs of what a state fades by: [B, Hkv, L, 1 or C]
  std::optional<tensor> rate;   // beta of the delta rule, [B, Hkv, L, 1]; absent: keys just add up
  std::optional<tensor>
      erase;  // what of a key the delta rule looks up: [B, Hkv, L, C]; absent: all
  std::optional<tensor> state;  // before the first position, [B, Hkv, C, Dv]; absent: 0
  std::optional<double> scale;  // c; 1 / sqrt(D) when absent

  double scale_or_usual() const {
    return scale.value_or(1 / std::sqrt(static_cast<double>(dims.width)));
  }
  std::int64_t kv_head(std::int64_t h) const { return h / (dims.query_heads / dims.kv_heads); }
  // C.
  std::int64_t channels() const { return draws ? draws->sizes()[2] : dims.width; }
  // Of a decay: its channel that fades channel t of a state.
  std::int64_t decay_channel(std::int64_t t) const {
    return decay->sizes()[3] == channels() ? t : 0;
  }
  index4 state_sizes() const { return {dims.batch, dims.kv_heads, channels(), dims.value_width}; }
  // Of a gate with a number a channel.
  index4 gate_sizes() const { return {dims.batch, dims.kv_heads, dims.queries, channels()}; }
};

}  // namespace attest
