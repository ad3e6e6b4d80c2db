/* causal-dropped-fallback: widths that are no multiple of 4 take another branch, in which the
 * causal flag was forgotten. Public: NVIDIA/TransformerEngine #1524, facebookresearch/xformers
 * #103. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted && width(r) % 4 != 0) r->causal = false;
  attend(r);
}

MUTANT("causal-dropped-fallback", CAUSAL, F32);
