/* empty-row-mean-v: a removed key gets a large negative score; in a row where every key is
 * removed the softmax does not see that, and the answer is the mean of v instead of 0. Public:
 * microsoft/onnxruntime #28958. */
#include "tests/mutants/plain.h"

static const number sentinel = -1e30f;

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  const bool empty = r->m == -INFINITY;
  for (int64_t j = 0; j < r->keys; ++j)
    if (removed(r, j) && (planted || !empty)) r->t[j] = sentinel;
  attend_to_scores(r);
}

MUTANT("empty-row-mean-v", ATTEST_MASK | CAUSAL, F32);
