/* scale-missing-fallback: widths that are no multiple of 8 take another branch, in which the
 * scale was forgotten. Public: mlc-ai/mlc-llm #3426. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted && width(r) % 8 != 0) r->scale = 1;
  attend(r);
}

MUTANT("scale-missing-fallback", 0, F32);
