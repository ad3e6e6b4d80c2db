/* Each operation is rounded to float16. */
#include "tests/mutants/plain.h"

static number half(number x) { return (number)rounded(f16, x); }

static number half_score(const row* r, int64_t j) {
  number sum = 0;
  for (int64_t n = 0; n < width(r); ++n)
    sum = half(sum + half(half(half(r->scale) * query(r, n)) * key(r, j, n)));
  return half(biased(r, j, half(capped(r, sum))));
}

static number half_weight(number t, number m) {
  return t == -INFINITY ? 0 : half(exp(half(t - m)));
}

static void add_half_value(row* r, int64_t j) {
  for (int64_t d = 0; d < value_width(r) && !removed(r, j); ++d)
    r->sums[d] = half(r->sums[d] + half(r->p[j] * value(r, j, d)));
}

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) r->t[j] = kept(r, j) ? half_score(r, j) : -INFINITY;
  find_greatest(r);
  r->l = half_weight(r->sink, r->m);
  clear_sums(r);
  for (int64_t j = 0; j < r->keys; ++j) {
    r->p[j] = half_weight(r->t[j], r->m);
    r->l = half(r->l + r->p[j]);
    add_half_value(r, j);
  }
  write_answer(r);
}

PLUGIN("every-stage-in-f16", EVERY_FEATURE, F16, NULL, "fp16-accumulate");
