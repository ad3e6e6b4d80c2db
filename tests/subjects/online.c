/* Attention in one pass with a running maximum, tile by tile, as FlashAttention does it. float32,
 * every feature. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "attest_plugin.h"

enum { tile_size = 16 };

/* Query i of head h in batch row b. */
typedef struct row {
  const attest_forward* call;
  int64_t b, h, i;
  int64_t g;        /* the KV head that serves h */
  int64_t keys;     /* valid ones: what lies beyond is never read */
  int64_t position; /* of the query among the keys */
} row;

/* What has been seen so far, relative to the running maximum m; the row of o holds the sum of p v.
 */
typedef struct running {
  float m, l;
} running;

static int64_t offset(const attest_tensor* t, int64_t a, int64_t b, int64_t c, int64_t d) {
  return a * t->strides[0] + b * t->strides[1] + c * t->strides[2] + d * t->strides[3];
}

static float* at(const attest_tensor* t, int64_t a, int64_t b, int64_t c, int64_t d) {
  return (float*)t->data + offset(t, a, b, c, d);
}

static row row_of(const attest_forward* call, int64_t b, int64_t h, int64_t i) {
  row r = {call, b, h, i, 0, call->k->sizes[2], i};
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
    t += *at(c->q, r->b, r->h, r->i, n) * *at(c->k, r->b, r->g, j, n);
  t *= (float)c->scale;
  if (cap > 0) t = cap * tanhf(t / cap);
  return c->bias ? t + *at(c->bias, r->b, r->h, r->i, j) : t;
}

static void scale_output(const row* r, float factor) {
  for (int64_t d = 0; d < r->call->o->sizes[3]; ++d) *at(r->call->o, r->b, r->h, r->i, d) *= factor;
}

static void add_value(const row* r, int64_t j, float p) {
  for (int64_t d = 0; d < r->call->o->sizes[3]; ++d)
    *at(r->call->o, r->b, r->h, r->i, d) += p * *at(r->call->v, r->b, r->g, j, d);
}

/* Scores of the tile's n keys, -inf for removed ones. Result: the new running maximum. */
static float tile_scores(const row* r, int64_t first, int64_t n, float m, float* t) {
  for (int64_t j = 0; j < n; ++j) {
    t[j] = kept(r, first + j) ? score(r, first + j) : -INFINITY;
    m = fmaxf(m, t[j]);
  }
  return m;
}

static void visit_tile(const row* r, int64_t first, running* s) {
  const int64_t left = r->keys - first, n = left < tile_size ? left : tile_size;
  float t[tile_size];
  const float m = tile_scores(r, first, n, s->m, t);
  if (m == -INFINITY) return; /* no key kept up to here: -inf - -inf must not be formed */
  const float rescale = expf(s->m - m);
  s->m = m;
  s->l *= rescale;
  scale_output(r, rescale);
  for (int64_t j = 0; j < n; ++j) {
    const float p = expf(t[j] - m);
    s->l += p;
    add_value(r, first + j, p);
  }
}

/* The sink is a key without a value. */
static running start(const row* r) {
  const attest_tensor* sink = r->call->sink;
  running s = {-INFINITY, 0};
  if (sink) s.m = *at(sink, 0, r->h, 0, 0);
  if (s.m > -INFINITY) s.l = 1;
  return s;
}

static void answer_row(const row* r) {
  const attest_forward* c = r->call;
  running s = start(r);
  for (int64_t d = 0; d < c->o->sizes[3]; ++d) *at(c->o, r->b, r->h, r->i, d) = 0;
  for (int64_t first = 0; first < r->keys; first += tile_size) visit_tile(r, first, &s);
  for (int64_t d = 0; s.l > 0 && d < c->o->sizes[3]; ++d) *at(c->o, r->b, r->h, r->i, d) /= s.l;
  if (c->lse) *at(c->lse, r->b, r->h, r->i, 0) = s.l > 0 ? s.m + logf(s.l) : -INFINITY;
}

static bool absent_or(const attest_tensor* t, uint32_t dtype) {
  return t == NULL || (t->size >= sizeof *t && t->dtype == dtype);
}

static bool supported(const attest_forward* c) {
  if (c->size < sizeof *c || c->causal > ATTEST_CAUSAL_ANCHOR_BOTTOM_RIGHT) return false;
  for (int n = 0; n < 8; ++n)
    if (c->reserved[n]) return false;
  return absent_or(c->q, ATTEST_F32) && absent_or(c->k, ATTEST_F32) &&
         absent_or(c->v, ATTEST_F32) && absent_or(c->o, ATTEST_F32) &&
         absent_or(c->lse, ATTEST_F32) && absent_or(c->bias, ATTEST_F32) &&
         absent_or(c->sink, ATTEST_F32) && absent_or(c->mask, ATTEST_BOOL) &&
         absent_or(c->lengths, ATTEST_I64);
}

static int32_t forward(const attest_forward* call, char* message, uint64_t message_size) {
  (void)message, (void)message_size;
  if (!supported(call)) return ATTEST_UNSUPPORTED;
  for (int64_t b = 0; b < call->q->sizes[0]; ++b)
    for (int64_t h = 0; h < call->q->sizes[1]; ++h)
      for (int64_t i = 0; i < call->q->sizes[2]; ++i) {
        const row r = row_of(call, b, h, i);
        answer_row(&r);
      }
  return ATTEST_OK;
}

static const attest_plugin online = {
    .size = sizeof(attest_plugin),
    .abi_version = ATTEST_ABI_VERSION,
    .name = "online",
    .version = "1",
    .features = ATTEST_MASK | ATTEST_BIAS | ATTEST_INFINITE_BIAS | ATTEST_CAUSAL_TOP_LEFT |
                ATTEST_CAUSAL_BOTTOM_RIGHT | ATTEST_WINDOW | ATTEST_LENGTHS | ATTEST_GROUPED_HEADS |
                ATTEST_SCALE | ATTEST_SOFT_CAP | ATTEST_SINK | ATTEST_LSE | ATTEST_CROSS_LENGTHS |
                ATTEST_VALUE_WIDTH | ATTEST_STRIDES,
    .dtypes = ATTEST_DTYPE_BIT(ATTEST_F32),
    .forward = forward,
};

const attest_plugin* attest_plugin_at(uint32_t index) { return index == 0 ? &online : NULL; }
