/* segments-of-first-batch-row: every batch row has the segments of the first. */
#include "tests/mutants/patterns.h"

static bool seen(const row* r, int64_t j) {
  row of_segment = *r;
  if (planted) of_segment.b = 0;
  return in_segment(&of_segment, j) && in_triangle(r, j);
}

static void answer(row* r) { attend_to(r, seen); }

MUTANT("segments-of-first-batch-row", ATTEST_SEGMENTS | CAUSAL, F32);
