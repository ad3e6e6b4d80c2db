/* A row whose mask bits are all true, those of keys beyond its position too, takes a path without a
 * mask, on which the scale is folded into the exponent. */
#include "tests/mutants/plain.h"

static bool unmasked(const row* r) {
  for (int64_t j = 0; j < r->k->sizes[2]; ++j)
    if (masked(r, j)) return false;
  return true;
}

static void attend_folded(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) r->t[j] = kept(r, j) ? dot(r, j) : -INFINITY;
  r->m = r->sink;
  for (int64_t j = 0; j < r->keys; ++j)
    if (!removed(r, j)) r->m = fmax(r->m, r->scale * r->t[j]);
  r->l = weight(r->sink, r->m);
  for (int64_t j = 0; j < r->keys; ++j)
    r->l += r->p[j] = removed(r, j) ? 0 : exp(fma(r->scale, r->t[j], -r->m));
  mix_values(r);
  write_answer(r);
}

static void answer(row* r) {
  if (r->soft_cap > 0 || r->bias || !unmasked(r))
    attend(r);
  else
    attend_folded(r);
}

PLUGIN("path-by-mask", EVERY_FEATURE, F32, NULL, NULL);
