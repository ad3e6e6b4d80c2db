/* The smallest plugin worth copying: attention in plain C99, in the order of the equations.
 *
 *   cc -std=c99 -shared -fPIC -Iproperties minimal.c -o minimal.so -lm
 *
 * Replace answer_row() by a call of your own code, then declare what that can do at the bottom. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "attest_plugin.h"

/* Element [a,b,c,d] of a float32 tensor. A kernel that takes strides can be given them as they are;
 * one that wants dense tensors leaves ATTEST_STRIDES out and gets dense ones. */
static float* at(const attest_tensor* t, int64_t a, int64_t b, int64_t c, int64_t d) {
  const int64_t* s = t->strides;
  return (float*)t->data + (a * s[0] + b * s[1] + c * s[2] + d * s[3]);
}

/* The score of key j. Several query heads may share a KV head: g is the one of h. */
static float score(const attest_forward* call, int64_t b, int64_t h, int64_t g, int64_t i,
                   int64_t j) {
  float sum = 0;
  for (int64_t t = 0; t < call->q->sizes[3]; ++t)
    sum += *at(call->q, b, h, i, t) * *at(call->k, b, g, j, t);
  return (float)call->scale * sum;
}

/* How many keys query i sees: all, or under a causal mask the first few, perhaps none. */
static int64_t keys_seen(const attest_forward* call, int64_t i) {
  const int64_t queries = call->q->sizes[2], keys = call->k->sizes[2];
  if (call->causal == ATTEST_CAUSAL_NONE) return keys;
  const int64_t offset = call->causal == ATTEST_CAUSAL_ANCHOR_BOTTOM_RIGHT ? keys - queries : 0;
  const int64_t seen = i + offset + 1;
  return seen < 0 ? 0 : seen < keys ? seen : keys;
}

/* Writes o[b,h,i,:]. When no key is seen the answer is 0. */
static void answer_row(const attest_forward* call, int64_t b, int64_t h, int64_t i) {
  const int64_t g = h / (call->q->sizes[1] / call->k->sizes[1]);
  const int64_t keys = keys_seen(call, i), width = call->o->sizes[3];
  float max = -INFINITY, sum = 0;
  for (int64_t d = 0; d < width; ++d) *at(call->o, b, h, i, d) = 0;
  for (int64_t j = 0; j < keys; ++j) max = fmaxf(max, score(call, b, h, g, i, j));
  for (int64_t j = 0; j < keys; ++j) {
    const float weight = expf(score(call, b, h, g, i, j) - max);
    sum += weight;
    for (int64_t d = 0; d < width; ++d)
      *at(call->o, b, h, i, d) += weight * *at(call->v, b, g, j, d);
  }
  for (int64_t d = 0; keys > 0 && d < width; ++d) *at(call->o, b, h, i, d) /= sum;
}

/* Answers one call. What was not declared below is never asked; to refuse is better than to be
 * wrong. */
static int32_t forward(const attest_forward* call, char* message, uint64_t message_size) {
  if (call->size < sizeof *call || call->q->dtype != ATTEST_F32) {
    snprintf(message, (size_t)message_size, "minimal computes in float32 only");
    return ATTEST_UNSUPPORTED;
  }
  for (int64_t b = 0; b < call->q->sizes[0]; ++b)
    for (int64_t h = 0; h < call->q->sizes[1]; ++h)
      for (int64_t i = 0; i < call->q->sizes[2]; ++i) answer_row(call, b, h, i);
  return ATTEST_OK;
}

static const attest_plugin minimal = {
    .size = sizeof(attest_plugin),
    .abi_version = ATTEST_ABI_VERSION,
    .name = "minimal",
    .version = "1",
    .features = ATTEST_CAUSAL_TOP_LEFT | ATTEST_CAUSAL_BOTTOM_RIGHT | ATTEST_GROUPED_HEADS |
                ATTEST_SCALE | ATTEST_CROSS_LENGTHS | ATTEST_VALUE_WIDTH | ATTEST_STRIDES,
    .dtypes = ATTEST_DTYPE_BIT(ATTEST_F32),
    .forward = forward,
};

const attest_plugin* attest_plugin_at(uint32_t index) { return index == 0 ? &minimal : NULL; }
