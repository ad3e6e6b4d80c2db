/* Attention as plainly as it can be said, in pieces from which each mutant is built: so that a
 * mutant's file shows its bug and little else. float32 inputs unless a mutant reads its own. */
#ifndef ATTEST_TESTS_MUTANTS_PLAIN_H
#define ATTEST_TESTS_MUTANTS_PLAIN_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "properties/attest_plugin.h"

/* What every mutant and its control declare; each adds what its bug needs. */
#define USUAL_FEATURES (ATTEST_CROSS_LENGTHS | ATTEST_VALUE_WIDTH | ATTEST_STRIDES)

/* Query i of head h in batch row b, and what a mutant may get wrong about it. */
typedef struct row {
  const attest_forward* call;
  int64_t b, h, i;
  int64_t g;        /* the KV head that serves h */
  int64_t keys;     /* valid ones: what lies beyond is never read */
  int64_t position; /* of the query among the keys */
  float scale;
} row;

/* Writes the answer of one row. */
typedef void answer_row(row r);

static inline int64_t offset(const attest_tensor* t, int64_t a, int64_t b, int64_t c, int64_t d) {
  return a * t->strides[0] + b * t->strides[1] + c * t->strides[2] + d * t->strides[3];
}

static inline float* at(const attest_tensor* t, int64_t a, int64_t b, int64_t c, int64_t d) {
  return (float*)t->data + offset(t, a, b, c, d);
}

static inline float* output(row r, int64_t d) { return at(r.call->o, r.b, r.h, r.i, d); }
static inline float value(row r, int64_t j, int64_t d) { return *at(r.call->v, r.b, r.g, j, d); }
static inline int64_t output_width(row r) { return r.call->o->sizes[3]; }

static inline bool masked(row r, int64_t j) {
  const attest_tensor* mask = r.call->mask;
  return mask && !((const unsigned char*)mask->data)[offset(mask, r.b, r.h, r.i, j)];
}

static inline bool kept(row r, int64_t j) {
  const bool in_triangle = r.call->causal == ATTEST_CAUSAL_NONE || j <= r.position;
  return j < r.keys && in_triangle && !masked(r, j);
}

static inline float score(row r, int64_t j) {
  float sum = 0;
  for (int64_t t = 0; t < r.call->q->sizes[3]; ++t)
    sum += *at(r.call->q, r.b, r.h, r.i, t) * *at(r.call->k, r.b, r.g, j, t);
  return r.scale * sum;
}

/* The greatest score among the kept keys of [first, last), at least m. */
static inline float greatest_score(row r, int64_t first, int64_t last, float m) {
  for (int64_t j = first; j < last; ++j)
    if (kept(r, j)) m = fmaxf(m, score(r, j));
  return m;
}

static inline void set_output(row r, float x) {
  for (int64_t d = 0; d < output_width(r); ++d) *output(r, d) = x;
}

static inline void scale_output(row r, float factor) {
  for (int64_t d = 0; d < output_width(r); ++d) *output(r, d) *= factor;
}

static inline void add_value(row r, int64_t j, float weight) {
  for (int64_t d = 0; d < output_width(r); ++d) *output(r, d) += weight * value(r, j, d);
}

/* Divides by the sum of weights; a row without keys keeps its zeros. */
static inline void divide_output(row r, float l) {
  for (int64_t d = 0; l > 0 && d < output_width(r); ++d) *output(r, d) /= l;
}

/* The right answer. */
static inline void attend(row r) {
  const float m = greatest_score(r, 0, r.keys, -INFINITY);
  float l = 0;
  set_output(r, 0);
  for (int64_t j = 0; j < r.keys; ++j) {
    if (!kept(r, j)) continue;
    const float p = expf(score(r, j) - m);
    l += p;
    add_value(r, j, p);
  }
  divide_output(r, l);
}

static inline row row_of(const attest_forward* call, int64_t b, int64_t h, int64_t i) {
  row r = {call, b, h, i, 0, call->k->sizes[2], i, (float)call->scale};
  r.g = h / (call->q->sizes[1] / call->k->sizes[1]);
  if (call->lengths) r.keys = ((const int64_t*)call->lengths->data)[b * call->lengths->strides[0]];
  if (call->causal == ATTEST_CAUSAL_ANCHOR_BOTTOM_RIGHT) r.position += r.keys - call->q->sizes[2];
  return r;
}

/* Answers a call row by row. */
static inline int32_t each_row(const attest_forward* call, answer_row* answer) {
  for (int64_t b = 0; b < call->q->sizes[0]; ++b)
    for (int64_t h = 0; h < call->q->sizes[1]; ++h)
      for (int64_t i = 0; i < call->q->sizes[2]; ++i) answer(row_of(call, b, h, i));
  return ATTEST_OK;
}

static inline int32_t each_float32_row(const attest_forward* call, answer_row* answer) {
  if (call->size < sizeof *call || call->q->dtype != ATTEST_F32) return ATTEST_UNSUPPORTED;
  return each_row(call, answer);
}

#endif /* ATTEST_TESTS_MUTANTS_PLAIN_H */
