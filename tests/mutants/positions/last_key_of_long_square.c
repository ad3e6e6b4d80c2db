/* last-key-of-long-square: self-attention over more than 257 tokens forgets the last one. Widths
 * and lengths are declared equal. */
#include "tests/mutants/plain.h"

#undef USUAL_FEATURES
#define USUAL_FEATURES 0

static void answer(row* r) {
  if (planted && r->keys > 257) r->keys -= 1;
  attend(r);
}

MUTANT("last-key-of-long-square", 0, F32);
