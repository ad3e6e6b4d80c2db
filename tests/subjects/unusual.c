/* Correct, but in no usual order: a gate that calls this wrong is too strict. float32, every
 * feature.
 *
 * The scale goes on q; dot products are summed pairwise with fused operations; keys are visited
 * from the last to the first, odd and even ones into two halves that are merged at the end;
 * exponentials are powers of two; the sink joins last. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "attest_plugin.h"

/* log2(e) in two pieces: the rounding of one float would tell at differences of 100. */
static const float log2_e = 0x1.715476p+0f;
static const float log2_e_rest = 0x1.4ae0cp-26f;

/* Query i of head h in batch row b. */
typedef struct row {
  const attest_forward* call;
  int64_t b, h, i;
  int64_t g;        /* the KV head that serves h */
  int64_t keys;     /* valid ones: what lies beyond is never read */
  int64_t position; /* of the query among the keys */
} row;

/* The keys of one parity: maximum, sum of p, sum of p v. */
typedef struct half {
  float m, l;
  float* o;
} half;

static int64_t offset(const attest_tensor* t, int64_t a, int64_t b, int64_t c, int64_t d) {
  return a * t->strides[0] + b * t->strides[1] + c * t->strides[2] + d * t->strides[3];
}

static float* at(const attest_tensor* t, int64_t a, int64_t b, int64_t c, int64_t d) {
  return (float*)t->data + offset(t, a, b, c, d);
}

static float exp_by_powers_of_two(float x) { return exp2f(fmaf(x, log2_e, x * log2_e_rest)); }

static row row_of(const attest_forward* call, int64_t b, int64_t h, int64_t i) {
  row r = {call, b, h, i, 0, call->k->sizes[2], i};
  r.g = h / (call->q->sizes[1] / call->k->sizes[1]);
  if (call->lengths) r.keys = ((const int64_t*)call->lengths->data)[b * call->lengths->strides[0]];
  if (call->causal == ATTEST_CAUSAL_ANCHOR_BOTTOM_RIGHT) r.position += r.keys - call->q->sizes[2];
  return r;
}

/* The first and the last key that the triangle and the window leave. */
static int64_t first_key(const row* r) {
  const int64_t left = r->call->window_left;
  return left >= 0 && r->position > left ? r->position - left : 0;
}

static int64_t last_key(const row* r) {
  int64_t last = r->keys - 1;
  const int64_t right = r->call->causal != ATTEST_CAUSAL_NONE ? 0 : r->call->window_right;
  if (right >= 0 && last - r->position > right) last = r->position + right;
  return last;
}

static bool removed(const row* r, int64_t j) {
  const attest_tensor *mask = r->call->mask, *bias = r->call->bias;
  if (mask && !((const unsigned char*)mask->data)[offset(mask, r->b, r->h, r->i, j)]) return true;
  return bias && *at(bias, r->b, r->h, r->i, j) == -INFINITY;
}

/* sum of (c q) k over the coordinates [first, last), halved until four are left. */
static float dot(const row* r, int64_t j, int64_t first, int64_t last) {
  if (last - first > 4) {
    const int64_t middle = first + (last - first) / 2;
    return dot(r, j, first, middle) + dot(r, j, middle, last);
  }
  float sum = 0;
  for (int64_t t = last - 1; t >= first; --t) {
    const float q = (float)r->call->scale * *at(r->call->q, r->b, r->h, r->i, t);
    sum = fmaf(q, *at(r->call->k, r->b, r->g, j, t), sum);
  }
  return sum;
}

static float score(const row* r, int64_t j) {
  const float cap = (float)r->call->soft_cap;
  float t = dot(r, j, 0, r->call->q->sizes[3]);
  if (cap > 0) t = cap * tanhf(t / cap);
  return r->call->bias ? *at(r->call->bias, r->b, r->h, r->i, j) + t : t;
}

static void raise_maximum(half* s, int64_t width, float m) {
  const float rescale = exp_by_powers_of_two(s->m - m);
  s->m = m;
  s->l *= rescale;
  for (int64_t d = 0; d < width; ++d) s->o[d] *= rescale;
}

static void visit(const row* r, half* s, int64_t j) {
  const int64_t width = r->call->o->sizes[3];
  const float t = score(r, j);
  if (t > s->m) raise_maximum(s, width, t);
  const float p = exp_by_powers_of_two(t - s->m);
  s->l += p;
  for (int64_t d = 0; d < width; ++d) s->o[d] = fmaf(p, *at(r->call->v, r->b, r->g, j, d), s->o[d]);
}

/* Writes what both halves and the sink give together. */
static void merge(const row* r, const half s[2]) {
  const attest_forward* c = r->call;
  const float sink = c->sink ? *at(c->sink, 0, r->h, 0, 0) : -INFINITY;
  const float m = fmaxf(sink, fmaxf(s[0].m, s[1].m));
  const bool empty = m == -INFINITY; /* then no difference with m may be formed */
  const float w0 = empty ? 0 : exp_by_powers_of_two(s[0].m - m);
  const float w1 = empty ? 0 : exp_by_powers_of_two(s[1].m - m);
  const float l = empty ? 1 : fmaf(w0, s[0].l, w1 * s[1].l) + exp_by_powers_of_two(sink - m);
  for (int64_t d = 0; d < c->o->sizes[3]; ++d)
    *at(c->o, r->b, r->h, r->i, d) = fmaf(w0, s[0].o[d], w1 * s[1].o[d]) / l;
  if (c->lse) *at(c->lse, r->b, r->h, r->i, 0) = logf(l) + m;
}

static void answer_row(const row* r, float* room) {
  const int64_t width = r->call->o->sizes[3];
  half s[2] = {{-INFINITY, 0, room}, {-INFINITY, 0, room + width}};
  for (int64_t d = 0; d < 2 * width; ++d) room[d] = 0;
  for (int64_t j = last_key(r); j >= first_key(r); --j)
    if (!removed(r, j)) visit(r, &s[j & 1], j);
  merge(r, s);
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
  float* room = malloc(sizeof(float) * (size_t)(2 * call->o->sizes[3] + 1));
  if (!room) return ATTEST_ERROR;
  for (int64_t b = call->q->sizes[0] - 1; b >= 0; --b)
    for (int64_t h = call->q->sizes[1] - 1; h >= 0; --h)
      for (int64_t i = call->q->sizes[2] - 1; i >= 0; --i) {
        const row r = row_of(call, b, h, i);
        answer_row(&r, room);
      }
  free(room);
  return ATTEST_OK;
}

static const attest_plugin unusual = {
    .size = sizeof(attest_plugin),
    .abi_version = ATTEST_ABI_VERSION,
    .name = "unusual",
    .version = "1",
    .features = ATTEST_MASK | ATTEST_BIAS | ATTEST_INFINITE_BIAS | ATTEST_CAUSAL_TOP_LEFT |
                ATTEST_CAUSAL_BOTTOM_RIGHT | ATTEST_WINDOW | ATTEST_LENGTHS | ATTEST_GROUPED_HEADS |
                ATTEST_SCALE | ATTEST_SOFT_CAP | ATTEST_SINK | ATTEST_LSE | ATTEST_CROSS_LENGTHS |
                ATTEST_VALUE_WIDTH | ATTEST_STRIDES,
    .dtypes = ATTEST_DTYPE_BIT(ATTEST_F32),
    .forward = forward,
};

const attest_plugin* attest_plugin_at(uint32_t index) { return index == 0 ? &unusual : NULL; }
