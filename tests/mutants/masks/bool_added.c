/* bool-added: the boolean mask is converted to a number and added to the scores. Public:
 * huggingface/transformers #41443, mlverse/torch #1208. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (!planted) {
    attend(r);
    return;
  }
  for (int64_t j = 0; j < r->keys; ++j) r->t[j] = score(r, j) + (masked(r, j) ? 0 : 1);
  attend_to_scores(r);
}

MUTANT("bool-added", ATTEST_MASK, F32);
