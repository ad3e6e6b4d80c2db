/* chunk-with-neighbour: a chunk takes the first key of the next one along. */
#include "tests/mutants/patterns.h"

static bool seen(const row* r, int64_t j) {
  const bool next = planted && j > 0 && in_chunk(r, j - 1);
  return reachable(r, j) && (in_chunk(r, j) || next);
}

static void answer(row* r) { attend_to(r, seen); }

MUTANT("chunk-with-neighbour", ATTEST_CHUNKS, F32);
