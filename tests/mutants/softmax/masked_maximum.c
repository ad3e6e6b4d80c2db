/* masked-maximum: the maximum is taken over masked keys too; where one of them is far above the
 * rest, every weight underflows and the answer is 0. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  for (int64_t j = 0; planted && j < r->keys; ++j) r->m = fmax(r->m, score(r, j));
  weigh_keys(r);
  mix_values(r);
  write_answer(r);
}

MUTANT("masked-maximum", ATTEST_MASK | CAUSAL, F32);
