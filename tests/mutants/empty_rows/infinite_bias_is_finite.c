/* infinite-bias-is-finite: a bias of -inf is replaced by the least number of float32; in a row
 * of such keys the answer is the mean of v. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  for (int64_t j = 0; planted && r->bias && j < r->keys; ++j)
    if (removed(r, j)) r->t[j] = -0x1.fffffep127f;
  attend_to_scores(r);
}

MUTANT("infinite-bias-is-finite", ATTEST_BIAS | ATTEST_INFINITE_BIAS, F32);
