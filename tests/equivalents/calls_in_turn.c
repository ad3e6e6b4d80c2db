/* Keys are visited forwards in one call and backwards in the next, which finds in the cache what
 * the one before it left there. */
#include "tests/mutants/online.h"

static int64_t calls;

static void answer(row* r) {
  if (r->b == 0 && r->h == 0 && r->i == 0) ++calls;
  score_keys(r);
  start(r);
  for (int64_t n = 0; n < r->keys; ++n) {
    const int64_t j = calls % 2 == 0 ? n : r->keys - 1 - n;
    if (r->t[j] > r->m) raise_to(r, r->t[j]);
    add_key(r, j);
  }
  write_answer(r);
}

PLUGIN("calls-in-turn", EVERY_FEATURE, F32, NULL, NULL);
