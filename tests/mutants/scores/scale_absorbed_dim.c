/* scale-absorbed-dim: the scale is made from the width of v, where q and k have another one.
 * Public: ollama/ollama #13893. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted) r->scale = 1 / sqrt((number)value_width(r));
  attend(r);
}

MUTANT("scale-absorbed-dim", 0, F32);
