/* finfo-min-plus-score: in float16 the least number is added to the score of a masked key; with
 * a score below -16 the sum is -inf, and a row of such keys has no weight at all where the mean
 * of v is due. Public: huggingface/transformers #17306. */
#include "tests/mutants/plain.h"

static number masked_score(const row* r, int64_t j) {
  const number least = -65504;
  return planted ? (number)rounded(f16, least + score(r, j)) : least;
}

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  const bool empty = r->m == -INFINITY;
  for (int64_t j = 0; empty && j < r->keys; ++j) r->t[j] = masked_score(r, j);
  attend_to_scores(r);
}

PLUGIN("finfo-min-plus-score", ATTEST_MASK, F16, "finite-sentinel", NULL);
