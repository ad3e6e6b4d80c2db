/* segments-of-keys-alone: the segment of a query is taken from the key at its index. */
#include "tests/mutants/patterns.h"

static bool seen(const row* r, int64_t j) {
  const attest_forward* c = r->call;
  if (!planted || !c->key_segments || r->i >= r->keys) return reachable(r, j);
  return integer(c->key_segments, r->b, r->i) == integer(c->key_segments, r->b, j);
}

static void answer(row* r) { attend_to(r, seen); }

MUTANT("segments-of-keys-alone", ATTEST_SEGMENTS, F32);
