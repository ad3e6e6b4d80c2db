/* seventeenth-split: there is room for sixteen splits of 128 keys; what a longer row has beyond
 * is not read. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted) r->keys = smaller(r->keys, 16 * 128);
  attend(r);
}

MUTANT("seventeenth-split", 0, F32);
