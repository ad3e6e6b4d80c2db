// A problem: one input and the semantics under which it is to be read.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
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
  // Of a mask of blocks of so many queries and keys, the last ones shorter.
  index4 block_sizes(std::int64_t of_queries, std::int64_t of_keys) const {
    return {batch, query_heads, (queries + of_queries - 1) / of_queries,
            (keys + of_keys - 1) / of_keys};
  }

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

// Which keys a query may see, by their position and its own, besides causal triangle and window.
struct key_pattern {
  std::int64_t dilation = 1;  // those at distances that are multiples of it
  std::int64_t chunk = 0;     // those in its own chunk of so many positions; 0: all
  std::int64_t global_keys =
      0;  // so many first keys, whatever window, dilation, chunks and blocks say
  std::int64_t block_queries =
      0;  // queries and keys to a block of the block mask; 0: there is none
  std::int64_t block_keys = 0;

  bool open() const { return dilation == 1 && chunk == 0 && block_queries == 0; }
  friend bool operator==(const key_pattern&, const key_pattern&) = default;
};

// The numbers of a pattern by the names that they have wherever they are written.
struct pattern_number {
  std::string_view name;
  std::int64_t key_pattern::*member;
};
inline constexpr pattern_number pattern_numbers[] = {
    {"dilation", &key_pattern::dilation},       {"chunk", &key_pattern::chunk},
    {"global_keys", &key_pattern::global_keys}, {"block_queries", &key_pattern::block_queries},
    {"block_keys", &key_pattern::block_keys},
};

// How K and V lie where a cache keeps them in pages of a pool. What a problem says does not depend
// on it: k and v hold them in the order of their positions all the same, and page_pool.h lays them
// out.
struct paging {
  std::int64_t page = 0;           // keys to a page; 0: no pages, k and v lie as they are
  std::int64_t spare_pages = 0;    // that no entry of the table names
  std::int64_t spare_entries = 0;  // of each batch row, beyond those that Lk keys need
  std::uint64_t order = 0;         // from which follows where the pages lie
  bool shares = false;  // whether batch rows share a page where they have the same keys and values
  bool stale = false;   // whether what is never read holds numbers, of other keys, in place of NaN

  friend bool operator==(const paging&, const paging&) = default;
};

// Shapes: q [B,Hq,Lq,D], k [B,Hkv,Lk,D], v [B,Hkv,Lk,Dv], mask, bias and dropout mask [B,Hq,Lq,Lk]
// by broadcasting.
struct problem {
  shape dims;
  semantics rules;
  tensor q, k, v;
  std::optional<boolean_tensor> mask;  // true keeps
  std::optional<tensor> bias;
  std::vector<std::int64_t> lengths;  // of the keys, one a batch row; empty: all are valid
  std::vector<double> sink;           // one a query head; empty: none
  std::vector<double> slopes;         // of ALiBi, one a query head; empty: none
  causal_anchor causal = causal_anchor::none;
  window sliding;
  key_pattern pattern;
  std::optional<boolean_tensor> block_mask;  // [B, Hq, blocks of queries, blocks of keys]
  // The segments of queries [B, Lq] and keys [B, Lk]; both empty: all are one.
  std::vector<std::int64_t> query_segments, key_segments;
  std::optional<double> scale;  // c; usual_scale when absent
  double soft_cap = 0;          // 0: none
  // Of the scorer, in the order of reference/definition/scorer.h, each [1, Hq, rows, columns].
  std::vector<tensor> parameters;
  double alpha = 1.5;  // of alpha_entmax: above 1
  layout answer_layout = layout::bhld;
  // Of dropout: which weights meet their values, true keeps, and what these are multiplied by
  // (reference/definition/dropout.h); 1 without a mask.
  std::optional<boolean_tensor> dropout_mask;
  double dropout_scale = 1;
  paging paged;

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
