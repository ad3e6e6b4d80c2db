/* dropout-scale: kept weights are multiplied by 1 - p instead of 1 / (1 - p). Public: NVIDIA/apex
 * #816; rasbt/LLMs-from-scratch #431 (text). */
#include "tests/mutants/dropout.h"

static void answer(row* r) {
  attend_and_drop(r, dropped, planted ? 1 / dropout_scale(r) : dropout_scale(r));
}

MUTANT("dropout-scale-inverted", ATTEST_DROPOUT, F32);
