/* softcap-after-mask: the soft cap is applied to masked scores, and makes -cap of -inf. Public:
 * onnx/onnx #7865, #7867. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  for (int64_t j = 0; j < r->keys; ++j)
    if (planted && r->soft_cap > 0 && removed(r, j)) r->t[j] = -r->soft_cap;
  attend_to_scores(r);
}

MUTANT("softcap-after-mask", ATTEST_MASK | ATTEST_SOFT_CAP | CAUSAL, F32);
