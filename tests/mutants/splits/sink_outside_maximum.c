/* sink-outside-maximum: the sink takes no part in the maximum: where all scores are far below
 * it, its exponential overflows and lse is infinite. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  r->m = greatest(r, 0, r->keys, planted ? -INFINITY : r->sink);
  if (r->m == -INFINITY) r->m = r->sink;
  weigh_keys(r);
  mix_values(r);
  write_answer(r);
}

MUTANT("sink-outside-maximum", ATTEST_SINK | ATTEST_LSE, F32);
