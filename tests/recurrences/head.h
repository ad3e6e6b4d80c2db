/* Linear attention of one KV head in pieces, from which controls of other forms and mutants are
 * built: so that a file shows its form, or its bug, and little else. Every feature, every type;
 * arithmetic in float unless a file says otherwise before it includes this. */
#ifndef ATTEST_TESTS_RECURRENCES_HEAD_H
#define ATTEST_TESTS_RECURRENCES_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>

#include "properties/attest_recurrence.h"
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

#define F64 ATTEST_DTYPE_BIT(ATTEST_F64)
#define F32 ATTEST_DTYPE_BIT(ATTEST_F32)
#define F16 ATTEST_DTYPE_BIT(ATTEST_F16)
#define BF16 ATTEST_DTYPE_BIT(ATTEST_BF16)
#define EVERY_FEATURE ((ATTEST_RECURRENCE_EXP_FEATURES << 1) - 1)

/* KV head g of batch row b, and the query heads that it serves. k and q have passed the map: where
 * that has draws, their width D is the number of draws. */
typedef struct head {
  const attest_recurrence* call;
  int64_t b, g;
  int64_t positions, width, columns, served;
  number *k, *v;       /* [L, D], [L, Dv] */
  number *log, *erase; /* [L, D]; 0 and 1 where there is none */
  number* rate;        /* [L], or NULL */
  number* q;           /* [served, L, D] */
  number *S, *z;       /* [D, Dv], [D] */
  number scale;
} head;

/* Computes all outputs, and leaves in S the state after the last position. */
typedef void pass_of_head(head* h);

/* ---- Elements ---- */

static inline number read_element(const attest_tensor* t, int64_t b, int64_t h, int64_t l,
                                  int64_t d) {
  const int64_t at = b * t->strides[0] + h * t->strides[1] + l * t->strides[2] + d * t->strides[3];
  switch (t->dtype) {
    case ATTEST_F64:
      return (number)((const double*)t->data)[at];
    case ATTEST_F32:
      return (number)((const float*)t->data)[at];
    default:
      return (number)decoded(t->dtype == ATTEST_F16 ? f16 : bf16, ((const uint16_t*)t->data)[at]);
  }
}

static inline void write_element(const attest_tensor* t, int64_t b, int64_t h, int64_t l, int64_t d,
                                 number x) {
  const int64_t at = b * t->strides[0] + h * t->strides[1] + l * t->strides[2] + d * t->strides[3];
  const number_type narrow = t->dtype == ATTEST_F16 ? f16 : bf16;
  if (t->dtype == ATTEST_F64)
    ((double*)t->data)[at] = (double)x;
  else if (t->dtype == ATTEST_F32)
    ((float*)t->data)[at] = (float)x;
  else
    ((uint16_t*)t->data)[at] = (uint16_t)encoded(narrow, rounded(narrow, (double)x));
}

static inline number mapped(const attest_recurrence* c, number x) {
  if (c->feature_map == ATTEST_MAP_RELU) return x > 0 ? x : 0;
  if (c->feature_map == ATTEST_MAP_ELU_PLUS_1) return x >= 0 ? x + 1 : exp(x);
  return x;
}

/* exp(w_a . x - norm x . x / 2) of row [h->b,at,l] of q or k, with the draws w of KV head g; norm
 * is 1. */
static inline number exp_feature(const head* h, int64_t g, int64_t a, const attest_tensor* x,
                                 int64_t at, int64_t l, number norm) {
  number exponent = 0;
  for (int64_t d = 0; d < x->sizes[3]; ++d) {
    const number element = read_element(x, h->b, at, l, d);
    exponent += read_element(h->call->draws, 0, g, a, d) * element - norm * element * element / 2;
  }
  return exp(exponent);
}

/* Channel t of that row after the map. */
static inline number feature(const head* h, int64_t t, const attest_tensor* x, int64_t at,
                             int64_t l) {
  if (h->call->feature_map == ATTEST_MAP_EXP_FEATURES) return exp_feature(h, h->g, t, x, at, l, 1);
  return mapped(h->call, read_element(x, h->b, at, l, t));
}

/* ---- The recurrence, a step each ---- */

static inline number* row_of(const head* h, number* of_keys, int64_t l) {
  return of_keys + l * h->width;
}
static inline number* query(const head* h, int64_t r, int64_t l) {
  return h->q + (r * h->positions + l) * h->width;
}

static inline void fade(head* h, int64_t l) {
  for (int64_t t = 0; t < h->width; ++t) {
    const number factor = exp(row_of(h, h->log, l)[t]);
    h->z[t] *= factor;
    for (int64_t d = 0; d < h->columns; ++d) h->S[t * h->columns + d] *= factor;
  }
}

/* What the state holds for the key of position l, in column d. */
static inline number looked_up(const head* h, int64_t l, int64_t d) {
  number sum = 0;
  for (int64_t t = 0; t < h->width; ++t)
    sum += row_of(h, h->erase, l)[t] * row_of(h, h->k, l)[t] * h->S[t * h->columns + d];
  return sum;
}

static inline number new_value(const head* h, int64_t l, int64_t d) {
  const number v = h->v[l * h->columns + d];
  return h->rate ? h->rate[l] * (v - looked_up(h, l, d)) : v;
}

static inline void add(head* h, int64_t l, int64_t d, number u) {
  for (int64_t t = 0; t < h->width; ++t) h->S[t * h->columns + d] += row_of(h, h->k, l)[t] * u;
}

static inline void add_mass(head* h, int64_t l) {
  for (int64_t t = 0; t < h->width; ++t) h->z[t] += row_of(h, h->k, l)[t];
}

static inline void absorb(head* h, int64_t l) {
  fade(h, l);
  for (int64_t d = 0; d < h->columns; ++d) add(h, l, d, new_value(h, l, d));
  add_mass(h, l);
}

static inline number weight_of(const head* h, int64_t r, int64_t l) {
  number sum = 0;
  for (int64_t t = 0; t < h->width; ++t) sum += query(h, r, l)[t] * h->z[t];
  return sum;
}

static inline number output_of(const head* h, int64_t r, int64_t l, int64_t d) {
  number sum = 0;
  for (int64_t t = 0; t < h->width; ++t) sum += query(h, r, l)[t] * h->S[t * h->columns + d];
  return sum;
}

/* The output of query head g served + r from its sum and its weight. */
static inline void write_output(const head* h, int64_t r, int64_t l, int64_t d, number sum,
                                number weight) {
  const attest_recurrence* c = h->call;
  const number o = !c->normalised ? sum * h->scale : weight != 0 ? sum / weight : 0;
  write_element(c->o, h->b, h->g * h->served + r, l, d, o);
}

static inline void write_outputs(const head* h, int64_t l) {
  for (int64_t r = 0; r < h->served; ++r)
    for (int64_t d = 0; d < h->columns; ++d)
      write_output(h, r, l, d, output_of(h, r, l, d), weight_of(h, r, l));
}

static inline void recurrent_pass(head* h) {
  for (int64_t l = 0; l < h->positions; ++l) {
    absorb(h, l);
    write_outputs(h, l);
  }
}

/* ---- The call ---- */

static inline void read_state(head* h) {
  for (int64_t t = 0; t < h->width && h->call->state; ++t)
    for (int64_t d = 0; d < h->columns; ++d)
      h->S[t * h->columns + d] = read_element(h->call->state, h->b, h->g, t, d);
}

static inline void write_state(const head* h) {
  for (int64_t t = 0; t < h->width && h->call->state_out; ++t)
    for (int64_t d = 0; d < h->columns; ++d)
      write_element(h->call->state_out, h->b, h->g, t, d, h->S[t * h->columns + d]);
}

static inline number log_at(const head* h, int64_t g, int64_t l, int64_t t) {
  const attest_recurrence* c = h->call;
  if (c->decay == NULL) return 0;
  return read_element(c->decay, h->b, g, l, c->decay_of == ATTEST_DECAY_CHANNEL ? t : 0);
}

static inline void read_inputs(head* h) {
  const attest_recurrence* c = h->call;
  for (int64_t l = 0; l < h->positions; ++l) {
    for (int64_t t = 0; t < h->width; ++t) {
      row_of(h, h->k, l)[t] = feature(h, t, c->k, h->g, l);
      row_of(h, h->log, l)[t] = log_at(h, h->g, l, t);
      row_of(h, h->erase, l)[t] = c->erase ? read_element(c->erase, h->b, h->g, l, t) : 1;
      for (int64_t r = 0; r < h->served; ++r)
        query(h, r, l)[t] = feature(h, t, c->q, h->g * h->served + r, l);
    }
    for (int64_t d = 0; d < h->columns; ++d)
      h->v[l * h->columns + d] = read_element(c->v, h->b, h->g, l, d);
    if (h->rate) h->rate[l] = read_element(c->rate, h->b, h->g, l, 0);
  }
}

/* k and q once more, as exp_feature has them of such draws and norm. */
static inline void read_exp_features(head* h, int64_t g, number norm) {
  const attest_recurrence* c = h->call;
  for (int64_t l = 0; l < h->positions; ++l)
    for (int64_t a = 0; a < h->width; ++a) {
      row_of(h, h->k, l)[a] = exp_feature(h, g, a, c->k, h->g, l, norm);
      for (int64_t r = 0; r < h->served; ++r)
        query(h, r, l)[a] = exp_feature(h, g, a, c->q, h->g * h->served + r, l, norm);
    }
}

static inline number* numbers(int64_t count) {
  return calloc((size_t)(count > 0 ? count : 1), sizeof(number));
}

static inline head begin_head(const attest_recurrence* c, int64_t b, int64_t g) {
  head h = {.call = c,
            .b = b,
            .g = g,
            .positions = c->k->sizes[2],
            .width = c->draws ? c->draws->sizes[2] : c->k->sizes[3],
            .columns = c->v->sizes[3],
            .served = c->q->sizes[1] / c->k->sizes[1],
            .scale = (number)c->scale};
  h.k = numbers(h.positions * h.width);
  h.v = numbers(h.positions * h.columns);
  h.log = numbers(h.positions * h.width);
  h.erase = numbers(h.positions * h.width);
  h.rate = c->rule == ATTEST_RULE_DELTA ? numbers(h.positions) : NULL;
  h.q = numbers(h.served * h.positions * h.width);
  h.S = numbers(h.width * h.columns);
  h.z = numbers(h.width);
  read_inputs(&h);
  read_state(&h);
  return h;
}

static inline void end_head(head* h) {
  number* const all[] = {h->k, h->v, h->log, h->erase, h->rate, h->q, h->S, h->z};
  for (size_t n = 0; n < sizeof all / sizeof *all; ++n) free(all[n]);
}

static inline int32_t run_heads(const attest_recurrence* c, pass_of_head* pass) {
  for (int64_t b = 0; b < c->k->sizes[0]; ++b)
    for (int64_t g = 0; g < c->k->sizes[1]; ++g) {
      head h = begin_head(c, b, g);
      pass(&h);
      write_state(&h);
      end_head(&h);
    }
  return ATTEST_OK;
}

/* The plugin of a file whose function pass_head does one head. */
#define RECURRENCE(NAME, FEATURES, DTYPES, CONTRACT)                                          \
  static int32_t forward(const attest_recurrence* call, char* message, uint64_t size) {       \
    (void)message, (void)size;                                                                \
    return run_heads(call, pass_head);                                                        \
  }                                                                                           \
  ATTEST_EXPORT const attest_recurrence_plugin* attest_recurrence_at(uint32_t index) {        \
    static const attest_recurrence_plugin plugin = {.size = sizeof plugin,                    \
                                                    .abi_version = ATTEST_RECURRENCE_VERSION, \
                                                    .name = NAME,                             \
                                                    .version = "1",                           \
                                                    .features = (FEATURES),                   \
                                                    .dtypes = (DTYPES),                       \
                                                    .contract = (CONTRACT),                   \
                                                    .forward = forward};                      \
    return index == 0 ? &plugin : NULL;                                                       \
  }                                                                                           \
  struct recurrence_ends_with_a_semicolon

#endif /* ATTEST_TESTS_RECURRENCES_HEAD_H */
