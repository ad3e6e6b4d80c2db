/* A plugin that answers rightly, and does something else before or after that. */
#ifndef ATTEST_TESTS_HOSTILE_H
#define ATTEST_TESTS_HOSTILE_H

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "properties/attest_plugin.h"

static inline float* element(const attest_tensor* t, int64_t a, int64_t b, int64_t c, int64_t d) {
  return (float*)t->data + a * t->strides[0] + b * t->strides[1] + c * t->strides[2] +
         d * t->strides[3];
}

/* How many elements of a dense tensor there are. */
static inline int64_t elements(const attest_tensor* t) {
  return t->sizes[0] * t->sizes[1] * t->sizes[2] * t->sizes[3];
}

static inline double score(const attest_forward* c, int64_t b, int64_t h, int64_t i, int64_t j) {
  double sum = 0;
  for (int64_t n = 0; n < c->q->sizes[3]; ++n)
    sum += (double)*element(c->q, b, h, i, n) * *element(c->k, b, h, j, n);
  return sum * c->scale;
}

static inline void answer_row(const attest_forward* c, int64_t b, int64_t h, int64_t i) {
  const int64_t keys = c->k->sizes[2];
  double greatest = -INFINITY, l = 0;
  for (int64_t j = 0; j < keys; ++j) greatest = fmax(greatest, score(c, b, h, i, j));
  for (int64_t j = 0; j < keys; ++j) l += exp(score(c, b, h, i, j) - greatest);
  for (int64_t d = 0; d < c->o->sizes[3]; ++d) {
    double sum = 0;
    for (int64_t j = 0; j < keys; ++j)
      sum += exp(score(c, b, h, i, j) - greatest) / l * *element(c->v, b, h, j, d);
    *element(c->o, b, h, i, d) = (float)sum;
  }
}

static inline void answer(const attest_forward* c) {
  for (int64_t b = 0; b < c->q->sizes[0]; ++b)
    for (int64_t h = 0; h < c->q->sizes[1]; ++h)
      for (int64_t i = 0; i < c->q->sizes[2]; ++i) answer_row(c, b, h, i);
}

static inline void nothing(const attest_forward* call) { (void)call; }

#define HOSTILE(name_, before, after)                                                        \
  static int32_t forward(const attest_forward* call, char* message, uint64_t message_size) { \
    (void)message, (void)message_size;                                                       \
    before(call);                                                                            \
    answer(call);                                                                            \
    after(call);                                                                             \
    return ATTEST_OK;                                                                        \
  }                                                                                          \
  static const attest_plugin plugin = {                                                      \
      .size = sizeof(attest_plugin),                                                         \
      .abi_version = ATTEST_ABI_VERSION,                                                     \
      .name = name_,                                                                         \
      .version = "1",                                                                        \
      .features = ATTEST_CROSS_LENGTHS | ATTEST_VALUE_WIDTH | ATTEST_STRIDES,                \
      .dtypes = ATTEST_DTYPE_BIT(ATTEST_F32),                                                \
      .forward = forward,                                                                    \
  };                                                                                         \
  const attest_plugin* attest_plugin_at(uint32_t index) { return index == 0 ? &plugin : NULL; }

#endif
