/* Keys are visited from the last to the first, in one pass. */
#include "tests/mutants/online.h"

static void answer(row* r) {
  score_keys(r);
  start(r);
  for (int64_t j = r->keys - 1; j >= 0; --j) {
    if (r->t[j] > r->m) raise_to(r, r->t[j]);
    add_key(r, j);
  }
  write_answer(r);
}

PLUGIN("keys-backwards", EVERY_FEATURE, F32, NULL, NULL);
