/* Every product is fused with the sum or difference that follows; the scale too, with the
 * maximum of the unscaled scores. */
#include "tests/mutants/plain.h"

static number fused_dot(const row* r, int64_t j) {
  number sum = 0;
  for (int64_t n = 0; n < width(r); ++n) sum = fma(query(r, n), key(r, j, n), sum);
  return sum;
}

/* exp(c s - m) with one rounding of the exponent. */
static number fused_weight(number c, number s, number m) {
  return s == -INFINITY ? 0 : exp(fma(c, s, -m));
}

static void answer(row* r) {
  const bool plain = r->soft_cap == 0 && !r->bias;
  const number c = plain ? r->scale : 1;
  for (int64_t j = 0; j < r->keys; ++j) {
    const number s = fused_dot(r, j);
    r->t[j] = !kept(r, j) ? -INFINITY : plain ? s : biased(r, j, capped(r, r->scale * s));
  }
  r->m = r->sink;
  for (int64_t j = 0; j < r->keys; ++j)
    if (!removed(r, j)) r->m = fmax(r->m, c * r->t[j]);
  r->l = weight(r->sink, r->m);
  clear_sums(r);
  for (int64_t j = 0; j < r->keys; ++j) {
    const number p = fused_weight(c, r->t[j], r->m);
    r->l += p;
    for (int64_t d = 0; d < value_width(r) && !removed(r, j); ++d)
      r->sums[d] = fma(p, value(r, j, d), r->sums[d]);
  }
  write_answer(r);
}

PLUGIN("fused-operations", EVERY_FEATURE, F32, NULL, NULL);
