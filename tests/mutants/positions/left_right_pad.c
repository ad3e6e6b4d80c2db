/* left-right-pad: the padding of a short batch row is taken to lie on the left, when it lies on
 * the right. Public: NVIDIA/TensorRT-LLM #364, OpenNMT/OpenNMT-py #2589. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  const int64_t padding = r->k->sizes[2] - r->keys;
  if (planted) r->keys += padding;
  score_keys(r);
  for (int64_t j = 0; planted && j < padding; ++j) r->t[j] = -INFINITY;
  attend_to_scores(r);
}

MUTANT("left-right-pad", ATTEST_LENGTHS, F32);
