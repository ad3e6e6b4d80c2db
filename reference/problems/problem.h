// A problem: one input and the semantics under which it is to be read.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reference/semantics/feature.h"
#include "reference/semantics/semantics.h"
#include "reference/tensors/tensor.h"

namespace attest {

struct shape {
  std::int64_t batch = 1;
  std::int64_t query_heads = 1;
  std::int64_t kv_heads = 1;  // divides query_heads
  std::int64_t queries = 1;
  std::int64_t keys = 1;
  std::int64_t width = 1;        // D, of q and k
  std::int64_t value_width = 1;  // Dv, of v and o

  index4 q_sizes() const { return {batch, query_heads, queries, width}; }
  index4 k_sizes() const { return {batch, kv_heads, keys, width}; }
  index4 v_sizes() const { return {batch, kv_heads, keys, value_width}; }
  index4 o_sizes() const { return {batch, query_heads, queries, value_width}; }
  index4 score_sizes() const { return {batch, query_heads, queries, keys}; }
  index4 lse_sizes() const { return {batch, query_heads, queries, 1}; }

  friend bool operator==(const shape&, const shape&) = default;
};

enum class causal_anchor : std::uint8_t { none, top_left, bottom_right };

// The keys from `left` before to `right` after the query's own position; -1 leaves that side open.
struct window {
  std::int64_t left = -1;
  std::int64_t right = -1;

  bool open() const { return left < 0 && right < 0; }
  friend bool operator==(const window&, const window&) = default;
};

// Shapes: q [B,Hq,Lq,D], k [B,Hkv,Lk,D], v [B,Hkv,Lk,Dv], mask and bias [B,Hq,Lq,Lk] by
// broadcasting.
struct problem {
  shape dims;
  semantics rules;
  tensor q, k, v;
  std::optional<boolean_tensor> mask;  // true keeps
  std::optional<tensor> bias;
  std::vector<std::int64_t> lengths;  // of the keys, one a batch row; empty: all are valid
  std::vector<double> sink;           // one a query head; empty: none
  causal_anchor causal = causal_anchor::none;
  window sliding;
  std::optional<double> scale;  // c; usual_scale when absent
  double soft_cap = 0;          // 0: none
  // Of the scorer, in the order of reference/definition/scorer.h, each [1, Hq, rows, columns].
  std::vector<tensor> parameters;
  double alpha = 1.5;  // of alpha_entmax: above 1
  layout answer_layout = layout::bhld;

  // Computes: the given scale, or the usual one of the scorer: 1 / sqrt(D) of scaled_dot, otherwise
  // 1; rounded to a double.
  double scale_or_usual() const;
  // Computes: what this problem asks of a subject that it answers in o alone.
  feature_set asks() const;
  // Computes: the number of valid keys of a batch row.
  std::int64_t valid_keys(std::int64_t b) const;
  // Computes: the KV head that serves query head h.
  std::int64_t kv_head(std::int64_t h) const;
};

// Computes: c where none is given.
double usual_scale(const semantics&, std::int64_t width);

}  // namespace attest
