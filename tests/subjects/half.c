/* Attention on 16-bit inputs as matrix units do it: products and sums in float32, weights rounded
 * to the input type before they meet v, one rounding of the output. float16 and bfloat16, every
 * feature. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "attest_plugin.h"

enum { tile_size = 32 };

/* How a 16-bit type is read and, rounding to nearest with ties to even, written. */
typedef struct type16 {
  float (*widen)(uint16_t);
  uint16_t (*round)(float);
} type16;

/* Query i of head h in batch row b. */
typedef struct row {
  const attest_forward* call;
  type16 type;
  int64_t b, h, i;
  int64_t g;        /* the KV head that serves h */
  int64_t keys;     /* valid ones: what lies beyond is never read */
  int64_t position; /* of the query among the keys */
} row;

/* What has been seen so far, relative to the running maximum m; o holds the sum of p v. */
typedef struct running {
  float m, l;
  float* o;
} running;

static uint32_t bits_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static float from_bits(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static float widen_bf16(uint16_t x) { return from_bits((uint32_t)x << 16); }

/* Adding just under half of the last place, or exactly half if the part that stays is odd, carries
 * when it must. */
static uint32_t round_off(uint32_t bits, int count) {
  const uint32_t odd = bits >> count & 1;
  return (bits + ((uint32_t)1 << (count - 1)) - 1 + odd) >> count;
}

static uint16_t round_bf16(float x) {
  if (x != x) return 0x7fc0;
  return (uint16_t)round_off(bits_of(x), 16);
}

static float widen_f16(uint16_t x) {
  const uint32_t sign = (uint32_t)(x & 0x8000) << 16, rest = x & 0x7fff;
  if (rest >= 0x7c00) return from_bits(sign | 0x7f800000 | (rest & 0x3ff) << 13);
  if (rest >= 0x0400) return from_bits(sign | (rest + ((127 - 15) << 10)) << 13);
  return from_bits(sign | bits_of((float)rest * 0x1p-24f));
}

static uint16_t round_f16(float x) {
  const uint32_t sign = bits_of(x) >> 16 & 0x8000;
  const float size = fabsf(x);
  uint32_t rest;
  if (x != x) {
    rest = 0x7e00;
  } else if (size >= 65520) { /* halfway from the largest number to the next that there would be */
    rest = 0x7c00;
  } else if (size <
             0x1p-14f) { /* subnormal: the last place of numbers near 0.5 is that of the result */
    rest = bits_of(size + 0.5f) - bits_of(0.5f);
  } else {
    rest = round_off(bits_of(size), 13) - ((127 - 15) << 10);
  }
  return (uint16_t)(sign | rest);
}

static int64_t offset(const attest_tensor* t, int64_t a, int64_t b, int64_t c, int64_t d) {
  return a * t->strides[0] + b * t->strides[1] + c * t->strides[2] + d * t->strides[3];
}

static float at(const row* r, const attest_tensor* t, int64_t a, int64_t b, int64_t c, int64_t d) {
  return r->type.widen(((const uint16_t*)t->data)[offset(t, a, b, c, d)]);
}

static row row_of(const attest_forward* call, type16 type, int64_t b, int64_t h, int64_t i) {
  row r = {call, type, b, h, i, 0, call->k->sizes[2], i};
  r.g = h / (call->q->sizes[1] / call->k->sizes[1]);
  if (call->lengths) r.keys = ((const int64_t*)call->lengths->data)[b * call->lengths->strides[0]];
  if (call->causal == ATTEST_CAUSAL_ANCHOR_BOTTOM_RIGHT) r.position += r.keys - call->q->sizes[2];
  return r;
}

static bool kept(const row* r, int64_t j) {
  const attest_forward* c = r->call;
  if (c->causal != ATTEST_CAUSAL_NONE && j > r->position) return false;
  if (c->window_left >= 0 && r->position - j > c->window_left) return false;
  if (c->window_right >= 0 && j - r->position > c->window_right) return false;
  if (!c->mask) return true;
  return ((const unsigned char*)c->mask->data)[offset(c->mask, r->b, r->h, r->i, j)] != 0;
}

/* The score of key j. A bias of -inf makes it -inf, which is how a removed key is written below. */
static float score(const row* r, int64_t j) {
  const attest_forward* c = r->call;
  const float cap = (float)c->soft_cap;
  float t = 0;
  for (int64_t n = 0; n < c->q->sizes[3]; ++n)
    t += at(r, c->q, r->b, r->h, r->i, n) * at(r, c->k, r->b, r->g, j, n);
  t *= (float)c->scale;
  if (cap > 0) t = cap * tanhf(t / cap);
  return c->bias ? t + at(r, c->bias, r->b, r->h, r->i, j) : t;
}

static void rescale(const row* r, running* s, float m) {
  const float factor = expf(s->m - m);
  s->m = m;
  s->l *= factor;
  for (int64_t d = 0; d < r->call->o->sizes[3]; ++d) s->o[d] *= factor;
}

/* The sum of weights stays in float32; only what is multiplied with v is rounded. */
static void add_key(const row* r, running* s, int64_t j, float p) {
  const float rounded = r->type.widen(r->type.round(p));
  s->l += p;
  for (int64_t d = 0; d < r->call->o->sizes[3]; ++d)
    s->o[d] += rounded * at(r, r->call->v, r->b, r->g, j, d);
}

static void visit_tile(const row* r, int64_t first, running* s) {
  const int64_t left = r->keys - first, n = left < tile_size ? left : tile_size;
  float t[tile_size], m = s->m;
  for (int64_t j = 0; j < n; ++j) {
    t[j] = kept(r, first + j) ? score(r, first + j) : -INFINITY;
    m = fmaxf(m, t[j]);
  }
  if (m == -INFINITY) return; /* no key kept up to here: -inf - -inf must not be formed */
  rescale(r, s, m);
  for (int64_t j = 0; j < n; ++j) add_key(r, s, first + j, expf(t[j] - m));
}

/* The sink is a key without a value. */
static running start(const row* r, float* o) {
  running s = {-INFINITY, 0, o};
  if (r->call->sink) s.m = at(r, r->call->sink, 0, r->h, 0, 0);
  if (s.m > -INFINITY) s.l = 1;
  for (int64_t d = 0; d < r->call->o->sizes[3]; ++d) o[d] = 0;
  return s;
}

static void answer_row(const row* r, float* room) {
  const attest_tensor *o = r->call->o, *lse = r->call->lse;
  running s = start(r, room);
  for (int64_t first = 0; first < r->keys; first += tile_size) visit_tile(r, first, &s);
  const float l = s.l > 0 ? s.l : 1;
  for (int64_t d = 0; d < o->sizes[3]; ++d)
    ((uint16_t*)o->data)[offset(o, r->b, r->h, r->i, d)] = r->type.round(s.o[d] / l);
  if (lse) ((float*)lse->data)[offset(lse, r->b, r->h, r->i, 0)] = s.m + logf(l);
}

static bool absent_or(const attest_tensor* t, uint32_t dtype) {
  return t == NULL || (t->size >= sizeof *t && t->dtype == dtype);
}

static bool supported(const attest_forward* c, uint32_t type) {
  if (c->size < sizeof *c || c->causal > ATTEST_CAUSAL_ANCHOR_BOTTOM_RIGHT) return false;
  if (type != ATTEST_F16 && type != ATTEST_BF16) return false;
  for (int n = 0; n < 8; ++n)
    if (c->reserved[n]) return false;
  return absent_or(c->k, type) && absent_or(c->v, type) && absent_or(c->o, type) &&
         absent_or(c->bias, type) && absent_or(c->sink, type) && absent_or(c->lse, ATTEST_F32) &&
         absent_or(c->mask, ATTEST_BOOL) && absent_or(c->lengths, ATTEST_I64);
}

static int32_t forward(const attest_forward* call, char* message, uint64_t message_size) {
  static const type16 f16 = {widen_f16, round_f16}, bf16 = {widen_bf16, round_bf16};
  (void)message, (void)message_size;
  if (!supported(call, call->q->dtype)) return ATTEST_UNSUPPORTED;
  float* room = malloc(sizeof(float) * (size_t)(call->o->sizes[3] + 1));
  if (!room) return ATTEST_ERROR;
  for (int64_t b = 0; b < call->q->sizes[0]; ++b)
    for (int64_t h = 0; h < call->q->sizes[1]; ++h)
      for (int64_t i = 0; i < call->q->sizes[2]; ++i) {
        const row r = row_of(call, call->q->dtype == ATTEST_F16 ? f16 : bf16, b, h, i);
        answer_row(&r, room);
      }
  free(room);
  return ATTEST_OK;
}

static const attest_plugin half = {
    .size = sizeof(attest_plugin),
    .abi_version = ATTEST_ABI_VERSION,
    .name = "half",
    .version = "1",
    .features = ATTEST_MASK | ATTEST_BIAS | ATTEST_INFINITE_BIAS | ATTEST_CAUSAL_TOP_LEFT |
                ATTEST_CAUSAL_BOTTOM_RIGHT | ATTEST_WINDOW | ATTEST_LENGTHS | ATTEST_GROUPED_HEADS |
                ATTEST_SCALE | ATTEST_SOFT_CAP | ATTEST_SINK | ATTEST_LSE | ATTEST_CROSS_LENGTHS |
                ATTEST_VALUE_WIDTH | ATTEST_STRIDES,
    .dtypes = ATTEST_DTYPE_BIT(ATTEST_F16) | ATTEST_DTYPE_BIT(ATTEST_BF16),
    .forward = forward,
};

const attest_plugin* attest_plugin_at(uint32_t index) { return index == 0 ? &half : NULL; }
