/* Attention as plainly as it can be said, in pieces from which each mutant is built: so that a
 * mutant's file shows its bug and little else. Every feature, every format; arithmetic in float
 * unless a file says otherwise before it includes this. */
#ifndef ATTEST_TESTS_MUTANTS_PLAIN_H
#define ATTEST_TESTS_MUTANTS_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <tgmath.h>

#include "properties/attest_plugin.h"
#include "tests/mutants/number_types.h"

#ifndef NUMBER
#define NUMBER float
#endif
typedef NUMBER number;

/* A mutant that is built with PLANTED has its bug; without, it is the control, which is right. */
#ifdef PLANTED
enum { planted = true };
#else
enum { planted = false };
#endif

/* What every mutant and its control declare; each adds what its bug needs. */
#define USUAL_FEATURES (ATTEST_CROSS_LENGTHS | ATTEST_VALUE_WIDTH | ATTEST_STRIDES)
#define EVERY_FEATURE                                                                           \
  (USUAL_FEATURES | CAUSAL | ATTEST_MASK | ATTEST_BIAS | ATTEST_INFINITE_BIAS | ATTEST_WINDOW | \
   ATTEST_LENGTHS | ATTEST_GROUPED_HEADS | ATTEST_SCALE | ATTEST_SOFT_CAP | ATTEST_SINK |       \
   ATTEST_LSE)
#define CAUSAL (ATTEST_CAUSAL_TOP_LEFT | ATTEST_CAUSAL_BOTTOM_RIGHT)
#define F64 ATTEST_DTYPE_BIT(ATTEST_F64)
#define F32 ATTEST_DTYPE_BIT(ATTEST_F32)
#define F16 ATTEST_DTYPE_BIT(ATTEST_F16)
#define BF16 ATTEST_DTYPE_BIT(ATTEST_BF16)

/* Query i of head h in batch row b: what is given, which a mutant may misread, and what is computed
 * from it. Features that are not asked are open: no mask, no cap, sink -inf, window -1. */
typedef struct row {
  const attest_tensor *q, *k, *v, *mask, *bias, *o, *lse;
  int64_t b, h, i;
  int64_t g;        /* the KV head that serves h */
  int64_t keys;     /* valid ones: what lies beyond is never read */
  int64_t position; /* of the query among the keys */
  bool causal;
  int64_t window_left, window_right;
  number scale, soft_cap, sink;
  const attest_forward* call;

  number* t;    /* scores, -inf for removed keys */
  number* p;    /* weights before they are divided by l */
  number* sums; /* of p v, a column each */
  number m, l;  /* greatest score, sum of weights */
} row;

/* Writes the answer of one row. */
typedef void answer_row(row* r);

/* ---- Elements ---- */

static inline int64_t offset(const attest_tensor* t, int64_t a, int64_t b, int64_t c, int64_t d) {
  return a * t->strides[0] + b * t->strides[1] + c * t->strides[2] + d * t->strides[3];
}

/* The element at `place` elements from the first. */
static inline number read_at(const attest_tensor* t, int64_t place) {
  switch (t->dtype) {
    case ATTEST_F64:
      return (number)((const double*)t->data)[place];
    case ATTEST_F32:
      return ((const float*)t->data)[place];
    case ATTEST_F16:
      return (number)decoded(f16, ((const uint16_t*)t->data)[place]);
    case ATTEST_BF16:
      return (number)decoded(bf16, ((const uint16_t*)t->data)[place]);
    case ATTEST_F8_E4M3FN:
      return (number)decoded(e4m3fn, ((const uint8_t*)t->data)[place]);
    case ATTEST_F8_E4M3:
      return (number)decoded(e4m3, ((const uint8_t*)t->data)[place]);
    case ATTEST_F8_E5M2:
      return (number)decoded(e5m2, ((const uint8_t*)t->data)[place]);
    default: /* ATTEST_BOOL */
      return ((const uint8_t*)t->data)[place];
  }
}

static inline number read(const attest_tensor* t, int64_t a, int64_t b, int64_t c, int64_t d) {
  return read_at(t, offset(t, a, b, c, d));
}

static inline void write_at(const attest_tensor* t, int64_t place, number x) {
  if (t->dtype == ATTEST_F64) ((double*)t->data)[place] = x;
  if (t->dtype == ATTEST_F32) ((float*)t->data)[place] = (float)x;
  if (t->dtype == ATTEST_F16) ((uint16_t*)t->data)[place] = (uint16_t)encoded(f16, rounded(f16, x));
  if (t->dtype == ATTEST_BF16)
    ((uint16_t*)t->data)[place] = (uint16_t)encoded(bf16, rounded(bf16, x));
}

static inline void write(const attest_tensor* t, int64_t a, int64_t b, int64_t c, int64_t d,
                         number x) {
  write_at(t, offset(t, a, b, c, d), x);
}

static inline int64_t query_heads(const row* r) { return r->q->sizes[1]; }
static inline int64_t kv_heads(const row* r) { return r->k->sizes[1]; }
static inline int64_t queries(const row* r) { return r->q->sizes[2]; }
static inline int64_t width(const row* r) { return r->q->sizes[3]; }
static inline int64_t value_width(const row* r) { return r->v->sizes[3]; }
static inline int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

static inline number query(const row* r, int64_t n) { return read(r->q, r->b, r->h, r->i, n); }
static inline number key(const row* r, int64_t j, int64_t n) {
  return read(r->k, r->b, r->g, j, n);
}
static inline number value(const row* r, int64_t j, int64_t d) {
  return read(r->v, r->b, r->g, j, d);
}
static inline void set_output(const row* r, int64_t d, number x) {
  write(r->o, r->b, r->h, r->i, d, x);
}
static inline void set_lse(const row* r, number x) {
  if (r->lse) write(r->lse, r->b, r->h, r->i, 0, x);
}

/* ---- Keys and scores ---- */

static inline bool masked(const row* r, int64_t j) {
  return r->mask && read(r->mask, r->b, r->h, r->i, j) == 0;
}
static inline bool in_triangle(const row* r, int64_t j) { return !r->causal || j <= r->position; }
static inline bool in_window(const row* r, int64_t j) {
  return (r->window_left < 0 || r->position - j <= r->window_left) &&
         (r->window_right < 0 || j - r->position <= r->window_right);
}
static inline bool kept(const row* r, int64_t j) {
  return j < r->keys && in_triangle(r, j) && in_window(r, j) && !masked(r, j);
}

static inline number dot(const row* r, int64_t j) {
  number sum = 0;
  for (int64_t n = 0; n < width(r); ++n) sum += query(r, n) * key(r, j, n);
  return sum;
}

static inline number capped(const row* r, number x) {
  return r->soft_cap > 0 ? r->soft_cap * tanh(x / r->soft_cap) : x;
}

/* A bias of -inf removes its key. */
static inline number biased(const row* r, int64_t j, number x) {
  return r->bias ? x + read(r->bias, r->b, r->h, r->i, j) : x;
}

static inline number score(const row* r, int64_t j) {
  return biased(r, j, capped(r, r->scale * dot(r, j)));
}

static inline void score_keys(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) r->t[j] = kept(r, j) ? score(r, j) : -INFINITY;
}

static inline bool removed(const row* r, int64_t j) { return r->t[j] == -INFINITY; }

/* The greatest score in [first, last), at least m. */
static inline number greatest(const row* r, int64_t first, int64_t last, number m) {
  for (int64_t j = first; j < last; ++j) m = fmax(m, r->t[j]);
  return m;
}

/* ---- From scores to the answer ---- */

/* exp(t - m), 0 for a removed key: -inf - -inf must not be formed. */
static inline number weight(number t, number m) { return t == -INFINITY ? 0 : exp(t - m); }

static inline void find_greatest(row* r) { r->m = greatest(r, 0, r->keys, r->sink); }

static inline void weigh_keys(row* r) {
  r->l = weight(r->sink, r->m);
  for (int64_t j = 0; j < r->keys; ++j) r->l += r->p[j] = weight(r->t[j], r->m);
}

/* Adds p v; the value of a removed key is not touched. */
static inline void add_value(row* r, int64_t j, number p) {
  for (int64_t d = 0; d < value_width(r) && !removed(r, j); ++d) r->sums[d] += p * value(r, j, d);
}

static inline void clear_sums(row* r) {
  for (int64_t d = 0; d < value_width(r); ++d) r->sums[d] = 0;
}

static inline void mix_values(row* r) {
  clear_sums(r);
  for (int64_t j = 0; j < r->keys; ++j) add_value(r, j, r->p[j]);
}

/* A row without keys and sink is 0 with lse -inf. */
static inline void write_answer(const row* r) {
  for (int64_t d = 0; d < value_width(r); ++d) set_output(r, d, r->l > 0 ? r->sums[d] / r->l : 0);
  set_lse(r, r->l > 0 ? r->m + log(r->l) : -INFINITY);
}

static inline void attend_to_scores(row* r) {
  find_greatest(r);
  weigh_keys(r);
  mix_values(r);
  write_answer(r);
}

/* The right answer. */
static inline void attend(row* r) {
  score_keys(r);
  attend_to_scores(r);
}

/* ---- Calls ---- */

static inline int64_t valid_keys(const attest_forward* c, int64_t b) {
  const attest_tensor* lengths = c->lengths;
  return lengths ? ((const int64_t*)lengths->data)[b * lengths->strides[0]] : c->k->sizes[2];
}

static inline row row_of(const attest_forward* c, int64_t b, int64_t h, int64_t i) {
  row r = {.q = c->q,
           .k = c->k,
           .v = c->v,
           .mask = c->mask,
           .bias = c->bias,
           .o = c->o,
           .lse = c->lse,
           .b = b,
           .h = h,
           .i = i,
           .position = i,
           .call = c};
  r.g = h / (c->q->sizes[1] / c->k->sizes[1]);
  r.keys = valid_keys(c, b);
  r.causal = c->causal != ATTEST_CAUSAL_NONE;
  if (c->causal == ATTEST_CAUSAL_ANCHOR_BOTTOM_RIGHT) r.position += r.keys - c->q->sizes[2];
  r.window_left = c->window_left;
  r.window_right = c->window_right;
  r.scale = (number)c->scale;
  r.soft_cap = (number)c->soft_cap;
  r.sink = c->sink ? read(c->sink, 0, h, 0, 0) : -INFINITY;
  return r;
}

/* Room for the rows of a call: t, p and sums. */
static inline number* room_for(const attest_forward* c) {
  return calloc((size_t)(2 * c->k->sizes[2] + c->v->sizes[3] + 1), sizeof(number));
}

static inline void place_row(row* r, number* room) {
  r->t = room;
  r->p = r->t + r->k->sizes[2];
  r->sums = r->p + r->k->sizes[2];
}

/* Answers a call row by row. */
static inline int32_t each_row(const attest_forward* c, answer_row* answer) {
  number* room = room_for(c);
  if (!room) return ATTEST_ERROR;
  for (int64_t b = 0; b < c->q->sizes[0]; ++b)
    for (int64_t h = 0; h < c->q->sizes[1]; ++h)
      for (int64_t i = 0; i < c->q->sizes[2]; ++i) {
        row r = row_of(c, b, h, i);
        place_row(&r, room);
        answer(&r);
      }
  free(room);
  return ATTEST_OK;
}

/* Likewise, for inputs of one of the element types. */
static inline int32_t each_row_of(uint64_t dtypes, const attest_forward* c, answer_row* answer) {
  const bool known = c->size >= sizeof *c && (dtypes & ATTEST_DTYPE_BIT(c->q->dtype)) != 0;
  return known ? each_row(c, answer) : ATTEST_UNSUPPORTED;
}

static inline int32_t each_float32_row(const attest_forward* c, answer_row* answer) {
  return each_row_of(F32, c, answer);
}

/* The plugin whose rows answer() writes. profile_ and contract_: names, or NULL for the defaults.
 * The declaration before the definition lets the macro end where a semicolon belongs. */
#define PLUGIN(name_, features_, dtypes_, profile_, contract_)                                  \
  static int32_t forward(const attest_forward* call, char* message, uint64_t message_size) {    \
    (void)message, (void)message_size;                                                          \
    return each_row_of(dtypes_, call, answer);                                                  \
  }                                                                                             \
  static const attest_plugin plugin;                                                            \
  const attest_plugin* attest_plugin_at(uint32_t index) { return index == 0 ? &plugin : NULL; } \
  static const attest_plugin plugin = {                                                         \
      .size = sizeof(attest_plugin),                                                            \
      .abi_version = ATTEST_ABI_VERSION,                                                        \
      .name = name_,                                                                            \
      .version = "1",                                                                           \
      .features = USUAL_FEATURES | (features_),                                                 \
      .dtypes = dtypes_,                                                                        \
      .profile = profile_,                                                                      \
      .contract = contract_,                                                                    \
      .forward = forward,                                                                       \
  }

#define MUTANT(name_, features_, dtypes_) PLUGIN(name_, features_, dtypes_, NULL, NULL)

#endif /* ATTEST_TESTS_MUTANTS_PLAIN_H */
