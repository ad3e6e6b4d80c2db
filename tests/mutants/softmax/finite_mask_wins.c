/* finite-mask-wins: a masked key has the score -1e4, in the maximum and in the sum: where all
 * scores are lower it gets the weight. Public: ohdearquant/lattice #373,
 * TransformerLensOrg/TransformerLens #318. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  const bool empty = r->m == -INFINITY;
  for (int64_t j = 0; j < r->keys; ++j)
    if (planted && !empty && masked(r, j)) r->t[j] = -1e4f;
  attend_to_scores(r);
}

MUTANT("finite-mask-wins", ATTEST_MASK, F32);
