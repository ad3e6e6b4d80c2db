/* dropout-in-lse: lse sums the weights that are kept. */
#include "tests/mutants/dropout.h"

static number log_of_kept(const row* r) {
  number sum = weight(r->sink, r->m);
  for (int64_t j = 0; j < r->keys; ++j)
    if (!dropped(r, j)) sum += weight(r->t[j], r->m);
  return r->m + log(sum);
}

static void answer(row* r) {
  attend_and_drop(r, dropped, dropout_scale(r));
  if (planted && r->l > 0) set_lse(r, log_of_kept(r));
}

MUTANT("dropout-in-lse", ATTEST_DROPOUT | ATTEST_LSE, F32);
