/* dropout-before-softmax: a dropped key gets a score of -inf, as a masked one does. */
#include "tests/mutants/dropout.h"

static void answer(row* r) {
  if (!planted) {
    attend_and_drop(r, dropped, dropout_scale(r));
    return;
  }
  for (int64_t j = 0; j < r->keys; ++j)
    r->t[j] = kept(r, j) && !dropped(r, j) ? score(r, j) : -INFINITY;
  find_greatest(r);
  weigh_keys(r);
  for (int64_t j = 0; j < r->keys; ++j) r->p[j] *= dropout_scale(r);
  mix_values(r);
  write_answer(r);
}

MUTANT("dropout-before-softmax", ATTEST_DROPOUT | ATTEST_LSE, F32);
