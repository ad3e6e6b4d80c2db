/* causal-anchor: the causal triangle is anchored at the first key where the last key was asked
 * for, so that a query sees too few keys or too many. Invisible while there are as many queries
 * as keys. Public: Dao-AILab/flash-attention #282, onnx/onnx #8054, NVIDIA/cutlass #2336. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted) r->position = r->i;
  attend(r);
}

MUTANT("causal-anchor", ATTEST_LENGTHS | CAUSAL, F32);
