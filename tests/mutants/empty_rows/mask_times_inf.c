/* mask-times-inf: scores are blended as s M + (1 - M) (-inf), and 0 * -inf is NaN at every key
 * that is kept. Public: cerebroai/reformers #3, tinygrad/tinygrad #11760. */
#include "tests/mutants/plain.h"

static number blended(const row* r, int64_t j) {
  const number keep = kept(r, j) ? 1 : 0;
  return score(r, j) * keep + (1 - keep) * -INFINITY;
}

static void answer(row* r) {
  attend(r);
  for (int64_t j = 0; planted && r->mask && j < r->keys; ++j)
    for (int64_t d = 0; d < value_width(r); ++d) set_output(r, d, blended(r, j));
}

MUTANT("mask-times-inf", ATTEST_MASK, F32);
