/* Where all tensors begin at addresses that 32 divides, products are fused and added from the last
 * to the first: vectorised loops have such a path. So the order of a sum depends on where tensors
 * lie. */
#include "tests/mutants/plain.h"

static bool aligned(const row* r) {
  const uintptr_t all = (uintptr_t)r->q->data | (uintptr_t)r->k->data | (uintptr_t)r->v->data;
  return (all | (uintptr_t)r->o->data) % 32 == 0;
}

static number fused_dot(const row* r, int64_t j) {
  number sum = 0;
  for (int64_t n = width(r) - 1; n >= 0; --n) sum = fma(query(r, n), key(r, j, n), sum);
  return sum;
}

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) {
    const number s = aligned(r) ? fused_dot(r, j) : dot(r, j);
    r->t[j] = kept(r, j) ? biased(r, j, capped(r, r->scale * s)) : -INFINITY;
  }
  attend_to_scores(r);
}

PLUGIN("lanes-by-address", EVERY_FEATURE, F32, NULL, NULL);
