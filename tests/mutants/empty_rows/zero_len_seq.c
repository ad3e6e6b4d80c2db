/* zero-len-seq: a batch row of length 0 is skipped, and its output is left as it was. Public:
 * Dao-AILab/flash-attention #2568, deepseek-ai/FlashMLA #11. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted && r->keys == 0) return;
  attend(r);
}

MUTANT("zero-len-seq", ATTEST_LENGTHS, F32);
