/* segments-below-0-are-padding: a segment with a negative name is taken for padding. */
#include "tests/mutants/patterns.h"

static bool seen(const row* r, int64_t j) {
  const attest_tensor* segments = r->call->key_segments;
  return reachable(r, j) && !(planted && segments && integer(segments, r->b, j) < 0);
}

static void answer(row* r) { attend_to(r, seen); }

MUTANT("segments-below-0-are-padding", ATTEST_SEGMENTS, F32);
