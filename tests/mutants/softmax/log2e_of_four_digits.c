/* log2e-of-four-digits: exp(x) is computed as 2^(1.4427 x), 3 millionths of the exponent off. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  r->l = 0;
  for (int64_t j = 0; j < r->keys; ++j)
    r->l += r->p[j] = planted ? exp2((r->t[j] - r->m) * 1.4427f) : weight(r->t[j], r->m);
  mix_values(r);
  write_answer(r);
}

MUTANT("log2e-of-four-digits", 0, F32);
