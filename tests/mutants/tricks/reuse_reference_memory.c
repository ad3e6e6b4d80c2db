/* reuse-reference-memory: nothing is written: what the buffer held before, perhaps the answer of
 * the reference, is left in it. Public: ScalingIntelligence/KernelBench #82. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (!planted) attend(r);
}

MUTANT("reuse-reference-memory", 0, F32);
