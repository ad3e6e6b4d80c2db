/* Scores are kept in units of ln 2, the factor log2(e) being part of the scale, and weights are
 * powers of 2. */
#include "tests/mutants/plain.h"

static const number log2_e = 1.4426950408889634f, ln_2 = 0.6931471805599453f;

static number score_in_bits(const row* r, int64_t j) {
  const number factor = r->soft_cap > 0 ? r->scale : r->scale * log2_e;
  const number x = capped(r, factor * dot(r, j));
  const number bits = r->soft_cap > 0 ? x * log2_e : x;
  return r->bias ? fma(biased(r, j, 0), log2_e, bits) : bits;
}

static number power(number t, number m) { return t == -INFINITY ? 0 : exp2(t - m); }

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) r->t[j] = kept(r, j) ? score_in_bits(r, j) : -INFINITY;
  r->m = greatest(r, 0, r->keys, r->sink * log2_e);
  r->l = power(r->sink * log2_e, r->m);
  for (int64_t j = 0; j < r->keys; ++j) r->l += r->p[j] = power(r->t[j], r->m);
  mix_values(r);
  write_answer(r);
  if (r->l > 0) set_lse(r, (r->m + log2(r->l)) * ln_2);
}

PLUGIN("folded-log2e", EVERY_FEATURE, F32, NULL, NULL);
