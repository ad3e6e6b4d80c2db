/* causal-anchor-per-batch: every batch row has the causal offset of the longest one. Public:
 * microsoft/onnxruntime #28904, #28958. */
#include "tests/mutants/plain.h"

static int64_t longest(const row* r) {
  int64_t most = 0;
  for (int64_t b = 0; b < r->q->sizes[0]; ++b)
    if (valid_keys(r->call, b) > most) most = valid_keys(r->call, b);
  return most;
}

static void answer(row* r) {
  if (planted && r->call->causal == ATTEST_CAUSAL_ANCHOR_BOTTOM_RIGHT)
    r->position += longest(r) - r->keys;
  attend(r);
}

MUTANT("causal-anchor-per-batch", ATTEST_LENGTHS | CAUSAL, F32);
