/* segments-leak: documents that are packed together see each other in the causal path. */
#include "tests/mutants/patterns.h"

static bool seen(const row* r, int64_t j) {
  return in_triangle(r, j) && (in_segment(r, j) || (planted && r->causal));
}

static void answer(row* r) { attend_to(r, seen); }

MUTANT("segments-leak", ATTEST_SEGMENTS | CAUSAL, F32);
