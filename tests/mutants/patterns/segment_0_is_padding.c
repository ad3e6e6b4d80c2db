/* segment-0-is-padding: segment 0 is taken for padding, which nothing sees. */
#include "tests/mutants/patterns.h"

static bool seen(const row* r, int64_t j) {
  const attest_tensor* segments = r->call->key_segments;
  return reachable(r, j) && !(planted && segments && integer(segments, r->b, j) == 0);
}

static void answer(row* r) { attend_to(r, seen); }

MUTANT("segment-0-is-padding", ATTEST_SEGMENTS, F32);
