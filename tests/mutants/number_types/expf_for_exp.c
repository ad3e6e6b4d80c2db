/* expf-for-exp: float64 weights come from the exponential of float32. */
#define NUMBER double
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  if (planted) r->l = weight(r->sink, r->m);
  for (int64_t j = 0; planted && j < r->keys; ++j) r->l += r->p[j] = exp((float)(r->t[j] - r->m));
  mix_values(r);
  write_answer(r);
}

MUTANT("expf-for-exp", 0, F64);
