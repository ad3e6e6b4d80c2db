/* chunk-by-index: the chunk of a query is that of its index, not of its position among the
 * keys. */
#include "tests/mutants/patterns.h"

static bool seen(const row* r, int64_t j) {
  row of_chunk = *r;
  if (planted) of_chunk.position = r->i;
  return reachable(r, j) && in_window(r, j) && in_chunk(&of_chunk, j);
}

static void answer(row* r) { attend_to(r, seen); }

MUTANT("chunk-by-index", ATTEST_CHUNKS | CAUSAL, F32);
