/* Linear attention with its state, position by position, as decoding does it: every rule, gate and
 * feature map. A subject to copy: it sees only attest_recurrence.h of attest. */
#include <math.h>
#include <stdlib.h>

#include "attest_recurrence.h"

static int64_t place(const attest_tensor* t, int64_t b, int64_t h, int64_t l, int64_t d) {
  return b * t->strides[0] + h * t->strides[1] + l * t->strides[2] + d * t->strides[3];
}

static double get(const attest_tensor* t, int64_t b, int64_t h, int64_t l, int64_t d) {
  const int64_t at = place(t, b, h, l, d);
  return t->dtype == ATTEST_F64 ? ((const double*)t->data)[at] : ((const float*)t->data)[at];
}

static void set(const attest_tensor* t, int64_t b, int64_t h, int64_t l, int64_t d, double x) {
  const int64_t at = place(t, b, h, l, d);
  if (t->dtype == ATTEST_F64)
    ((double*)t->data)[at] = x;
  else
    ((float*)t->data)[at] = (float)x;
}

/* C: of a row after the map, and so of a state. */
static int64_t channels(const attest_recurrence* c) {
  return c->draws ? c->draws->sizes[2] : c->k->sizes[3];
}

/* exp(w_a . x - x . x / 2) of row [b,h,l] of q or k, w of KV head g. */
static double exp_feature(const attest_recurrence* c, int64_t g, int64_t a, const attest_tensor* x,
                          int64_t b, int64_t h, int64_t l) {
  double exponent = 0;
  for (int64_t d = 0; d < x->sizes[3]; ++d) {
    const double element = get(x, b, h, l, d);
    exponent += get(c->draws, 0, g, a, d) * element - element * element / 2;
  }
  return exp(exponent);
}

/* Channel t of that row after the map. */
static double feature(const attest_recurrence* c, int64_t g, int64_t t, const attest_tensor* row_of,
                      int64_t b, int64_t h, int64_t l) {
  if (c->feature_map == ATTEST_MAP_EXP_FEATURES) return exp_feature(c, g, t, row_of, b, h, l);
  const double x = get(row_of, b, h, l, t);
  if (c->feature_map == ATTEST_MAP_RELU) return x > 0 ? x : 0;
  if (c->feature_map == ATTEST_MAP_ELU_PLUS_1) return x >= 0 ? x + 1 : exp(x);
  return x;
}

/* S [C, Dv] fades, takes in what is new at position l, and z with it. */
static void absorb(const attest_recurrence* c, int64_t b, int64_t g, int64_t l, double* S,
                   double* z) {
  const int64_t C = channels(c), Dv = c->v->sizes[3];
  for (int64_t t = 0; t < C && c->decay; ++t) {
    const int64_t channel = c->decay_of == ATTEST_DECAY_CHANNEL ? t : 0;
    const double factor = exp(get(c->decay, b, g, l, channel));
    for (int64_t d = 0; d < Dv; ++d) S[t * Dv + d] *= factor;
    z[t] *= factor;
  }
  for (int64_t d = 0; d < Dv; ++d) {
    double u = get(c->v, b, g, l, d);
    if (c->rule == ATTEST_RULE_DELTA) {
      for (int64_t t = 0; t < C; ++t) {
        const double erase = c->erase ? get(c->erase, b, g, l, t) : 1;
        u -= erase * feature(c, g, t, c->k, b, g, l) * S[t * Dv + d];
      }
      u *= get(c->rate, b, g, l, 0);
    }
    for (int64_t t = 0; t < C; ++t) S[t * Dv + d] += feature(c, g, t, c->k, b, g, l) * u;
  }
  for (int64_t t = 0; t < C; ++t) z[t] += feature(c, g, t, c->k, b, g, l);
}

static void write_output(const attest_recurrence* c, int64_t b, int64_t g, int64_t h, int64_t l,
                         const double* S, const double* z) {
  const int64_t C = channels(c), Dv = c->v->sizes[3];
  double weight = 0;
  for (int64_t t = 0; t < C; ++t) weight += feature(c, g, t, c->q, b, h, l) * z[t];
  for (int64_t d = 0; d < Dv; ++d) {
    double sum = 0;
    for (int64_t t = 0; t < C; ++t) sum += feature(c, g, t, c->q, b, h, l) * S[t * Dv + d];
    if (c->normalised)
      set(c->o, b, h, l, d, weight != 0 ? sum / weight : 0);
    else
      set(c->o, b, h, l, d, sum * c->scale);
  }
}

static void pass(const attest_recurrence* c, int64_t b, int64_t g, double* S, double* z) {
  const int64_t C = channels(c), Dv = c->v->sizes[3];
  const int64_t served = c->q->sizes[1] / c->k->sizes[1];
  for (int64_t t = 0; t < C; ++t) z[t] = 0;
  for (int64_t t = 0; t < C; ++t)
    for (int64_t d = 0; d < Dv; ++d) S[t * Dv + d] = c->state ? get(c->state, b, g, t, d) : 0;
  for (int64_t l = 0; l < c->k->sizes[2]; ++l) {
    absorb(c, b, g, l, S, z);
    for (int64_t h = g * served; h < (g + 1) * served; ++h) write_output(c, b, g, h, l, S, z);
  }
  for (int64_t t = 0; t < C && c->state_out; ++t)
    for (int64_t d = 0; d < Dv; ++d) set(c->state_out, b, g, t, d, S[t * Dv + d]);
}

static int32_t forward(const attest_recurrence* c, char* message, uint64_t size) {
  (void)message, (void)size;
  const int64_t C = channels(c), Dv = c->v->sizes[3];
  double* const S = malloc((size_t)(C * Dv + C) * sizeof *S);
  if (S == NULL) return ATTEST_ERROR;
  for (int64_t b = 0; b < c->k->sizes[0]; ++b)
    for (int64_t g = 0; g < c->k->sizes[1]; ++g) pass(c, b, g, S, S + C * Dv);
  free(S);
  return ATTEST_OK;
}

const attest_recurrence_plugin* attest_recurrence_at(uint32_t index) {
  static const attest_recurrence_plugin plugin = {
      .size = sizeof plugin,
      .abi_version = ATTEST_RECURRENCE_VERSION,
      .name = "recurrent",
      .version = "1",
      .features = (ATTEST_RECURRENCE_EXP_FEATURES << 1) - 1, /* every one */
      .dtypes = ATTEST_DTYPE_BIT(ATTEST_F64) | ATTEST_DTYPE_BIT(ATTEST_F32),
      .forward = forward,
  };
  return index == 0 ? &plugin : NULL;
}
