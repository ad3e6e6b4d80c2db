/* Attention in float32 whose conventions are data: correct, each in its own way. */
#ifndef ATTEST_TESTS_CONVENTIONS_CONVENTION_H
#define ATTEST_TESTS_CONVENTIONS_CONVENTION_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "properties/attest_plugin.h"

enum cap_order { CAP_BEFORE_BIAS, CAP_AFTER_BIAS, CAP_AFTER_MASK };

/* All zero: the conventions of the profile "attest". */
typedef struct convention {
  float empty_row;       /* what a row without keys holds */
  bool mean_of_values;   /* or the mean of v */
  float minus_empty_lse; /* the lse of such a row, negated: 0 stands for -inf */
  bool base_2;
  bool lse_without_sink;
  bool tile;
  enum cap_order cap;
  bool true_masks;
  bool true_masks_in_odd_heads; /* no convention at all */
  bool infinite_weighs_0;
  bool lowest_masks;
  bool never_reads_masked;
  bool hides_nan; /* in q and k */
  bool exclusive;
  bool signed_distance; /* slopes add to what lies beyond the query */
} convention;

/* Query i of head h in batch row b. */
typedef struct row {
  const attest_forward* call;
  const convention* rules;
  int64_t b, h, i;
  int64_t g;        /* the KV head that serves h */
  int64_t keys;     /* valid ones: what lies beyond is never read */
  int64_t position; /* of the query among the keys */
} row;

static inline int64_t offset(const attest_tensor* t, int64_t a, int64_t b, int64_t c, int64_t d) {
  return a * t->strides[0] + b * t->strides[1] + c * t->strides[2] + d * t->strides[3];
}

static inline float* at(const attest_tensor* t, int64_t a, int64_t b, int64_t c, int64_t d) {
  return (float*)t->data + offset(t, a, b, c, d);
}

static inline bool masked(const row* r, int64_t j) {
  const attest_tensor* mask = r->call->mask;
  if (!mask) return false;
  const bool value = ((const unsigned char*)mask->data)[offset(mask, r->b, r->h, r->i, j)] != 0;
  const bool true_masks =
      r->rules->true_masks || (r->rules->true_masks_in_odd_heads && r->h % 2 == 1);
  return value == true_masks;
}

/* Whether the triangle and the window hold key j. */
static inline bool in_sight(const row* r, int64_t j) {
  const int64_t left = r->call->window_left, right = r->call->window_right;
  const int64_t inner = r->rules->exclusive ? 1 : 0;
  if (r->call->causal != ATTEST_CAUSAL_NONE && j > r->position) return false;
  return (left < 0 || j >= r->position - left + inner) &&
         (right < 0 || j <= r->position + right - inner);
}

static inline float slope_times_distance(const row* r, int64_t j) {
  const int64_t ahead = j - r->position;
  const int64_t distance = r->rules->signed_distance || ahead < 0 ? ahead : -ahead;
  return *at(r->call->slopes, 0, r->h, 0, 0) * (float)distance;
}

static inline float bias(const row* r, int64_t j) {
  if (r->call->slopes) return slope_times_distance(r, j);
  const float b = r->call->bias ? *at(r->call->bias, r->b, r->h, r->i, j) : 0;
  return r->rules->lowest_masks && b == -FLT_MAX ? -INFINITY : b;
}

static inline float score(const row* r, int64_t j) {
  float sum = 0;
  for (int64_t t = 0; t < r->call->q->sizes[3]; ++t)
    sum += *at(r->call->q, r->b, r->h, r->i, t) * *at(r->call->k, r->b, r->g, j, t);
  return (float)r->call->scale * sum;
}

static inline float capped(const row* r, float x) {
  const float cap = (float)r->call->soft_cap;
  return cap > 0 ? cap * tanhf(x / cap) : x;
}

/* Whether a cap after the mask leaves nothing masked. */
static inline bool cap_is_last(const row* r) {
  return r->rules->cap == CAP_AFTER_MASK && r->call->soft_cap > 0;
}

/* Whether mask or bias speak against key j. */
static inline bool excluded(const row* r, int64_t j) {
  return masked(r, j) || bias(r, j) == -INFINITY;
}

static inline bool kept(const row* r, int64_t j) {
  return in_sight(r, j) && (cap_is_last(r) || !excluded(r, j));
}

/* Whether j stands in a row of keys that weigh 0. */
static inline bool weighs_0(const row* r, int64_t j) {
  return r->rules->infinite_weighs_0 && in_sight(r, j) && !masked(r, j);
}

/* -inf for a key that is not kept: its K has still been read, and what is no number leaks. */
static inline float logit(const row* r, int64_t j) {
  const float s = score(r, j), out = kept(r, j) ? 0 : -INFINITY;
  if (cap_is_last(r)) return capped(r, s + (excluded(r, j) ? -INFINITY : bias(r, j))) + out;
  const float b = out == 0 ? bias(r, j) : 0;
  return (r->rules->cap == CAP_BEFORE_BIAS ? capped(r, s) + b : capped(r, s + b)) + out;
}

static inline bool is_read(const row* r, int64_t j) {
  return !r->rules->never_reads_masked || kept(r, j);
}

static inline float* output(const row* r, int64_t d) { return at(r->call->o, r->b, r->h, r->i, d); }

static inline void add_value(const row* r, int64_t j, float weight) {
  for (int64_t d = 0; d < r->call->o->sizes[3]; ++d)
    *output(r, d) += weight * *at(r->call->v, r->b, r->g, j, d);
}

static inline void scale_output(const row* r, float factor) {
  for (int64_t d = 0; d < r->call->o->sizes[3]; ++d) *output(r, d) *= factor;
}

static inline void fill_output(const row* r, float x) {
  for (int64_t d = 0; d < r->call->o->sizes[3]; ++d) *output(r, d) = x;
}

static inline void write_lse(const row* r, float natural) {
  if (!r->call->lse) return;
  *at(r->call->lse, r->b, r->h, r->i, 0) = r->rules->base_2 ? natural * 1.44269504f : natural;
}

static inline float empty_lse(const row* r) {
  return r->rules->minus_empty_lse == 0 ? -INFINITY : -r->rules->minus_empty_lse;
}

static inline void answer_empty_row(const row* r) {
  const int64_t keys = r->call->k->sizes[2];
  bool any_weighs_0 = false;
  for (int64_t j = 0; j < r->keys; ++j) any_weighs_0 = any_weighs_0 || weighs_0(r, j);
  fill_output(r, any_weighs_0 ? NAN : r->rules->mean_of_values ? 0 : r->rules->empty_row);
  write_lse(r, empty_lse(r));
  if (any_weighs_0 || !r->rules->mean_of_values) return;
  for (int64_t j = 0; j < keys; ++j) add_value(r, j, 1 / (float)keys);
}

static inline float weight(const row* r, float t, float m) {
  return r->rules->hides_nan && isnan(t) ? 0 : expf(t - m);
}

/* m: over the kept keys, and the sink. */
static inline void answer_row(const row* r) {
  const float sink = r->call->sink ? *at(r->call->sink, 0, r->h, 0, 0) : -INFINITY;
  float m = sink, l = 0;
  int64_t count = 0;
  for (int64_t j = 0; j < r->keys; ++j)
    if (kept(r, j)) m = fmaxf(m, logit(r, j)), ++count;
  if (count == 0 && !r->call->sink) {
    answer_empty_row(r);
    return;
  }
  fill_output(r, 0);
  for (int64_t j = 0; j < r->keys; ++j) {
    if (!is_read(r, j)) continue;
    const float p = weight(r, logit(r, j), m);
    l += p;
    add_value(r, j, p);
  }
  const float whole = l + expf(sink - m);
  scale_output(r, 1 / whole);
  if (r->rules->lse_without_sink && count == 0)
    write_lse(r, empty_lse(r));
  else
    write_lse(r, m + logf(r->rules->lse_without_sink ? l : whole));
}

static inline row row_of(const attest_forward* call, const convention* rules, int64_t b, int64_t h,
                         int64_t i) {
  const int64_t kv_heads = call->k->sizes[1];
  row r = {call, rules, b, h, i, 0, call->k->sizes[2], i};
  r.g = rules->tile ? h % kv_heads : h / (call->q->sizes[1] / kv_heads);
  if (call->lengths) r.keys = ((const int64_t*)call->lengths->data)[b * call->lengths->strides[0]];
  if (call->causal == ATTEST_CAUSAL_ANCHOR_BOTTOM_RIGHT) r.position += r.keys - call->q->sizes[2];
  return r;
}

static inline int32_t answer_call(const attest_forward* call, const convention* rules) {
  if (call->size < sizeof *call || call->q->dtype != ATTEST_F32) return ATTEST_UNSUPPORTED;
  for (int64_t b = 0; b < call->q->sizes[0]; ++b)
    for (int64_t h = 0; h < call->q->sizes[1]; ++h)
      for (int64_t i = 0; i < call->q->sizes[2]; ++i) {
        const row r = row_of(call, rules, b, h, i);
        answer_row(&r);
      }
  return ATTEST_OK;
}

#define ALL_FEATURES                                                                    \
  (ATTEST_MASK | ATTEST_BIAS | ATTEST_INFINITE_BIAS | ATTEST_CAUSAL_TOP_LEFT |          \
   ATTEST_CAUSAL_BOTTOM_RIGHT | ATTEST_WINDOW | ATTEST_LENGTHS | ATTEST_GROUPED_HEADS | \
   ATTEST_SCALE | ATTEST_SOFT_CAP | ATTEST_SINK | ATTEST_LSE | ATTEST_CROSS_LENGTHS |   \
   ATTEST_VALUE_WIDTH | ATTEST_STRIDES | ATTEST_ALIBI)

#endif /* ATTEST_TESTS_CONVENTIONS_CONVENTION_H */
