/* split-drafts-see-all: a few queries over 256 keys or more are decoded in splits, without the
 * causal triangle. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted && r->k->sizes[2] >= 256 && queries(r) <= 8) r->causal = false;
  attend(r);
}

MUTANT("split-drafts-see-all", CAUSAL, F32);
