/* global-keys-of-all-segments: global keys are seen from other segments. */
#include "tests/mutants/patterns.h"

static bool seen(const row* r, int64_t j) {
  if (planted && is_global(r, j)) return in_triangle(r, j);
  return reachable(r, j) && (is_global(r, j) || in_chunk(r, j));
}

static void answer(row* r) { attend_to(r, seen); }

MUTANT("global-keys-of-all-segments", ATTEST_GLOBAL_KEYS | ATTEST_CHUNKS | ATTEST_SEGMENTS, F32);
