/* empty-row-nan: the end divides by the sum of weights without a look whether it is 0, so that a
 * row without keys is 0 / 0. Public: pytorch/pytorch #103963, robertknight/rten #1321. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  mix_values(r);
  const number l = r->l > 0 || planted ? r->l : 1;
  for (int64_t d = 0; d < value_width(r); ++d) set_output(r, d, r->sums[d] / l);
}

MUTANT("empty-row-nan", ATTEST_MASK | CAUSAL, F32);
