/* query-segments-of-keys: the segment of a query is looked up among those of keys. */
#include "tests/mutants/patterns.h"

static bool seen(const row* r, int64_t j) {
  const attest_forward* c = r->call;
  if (!planted || !c->query_segments || r->i >= c->k->sizes[2]) return reachable(r, j);
  const bool same = integer(c->key_segments, r->b, r->i) == integer(c->key_segments, r->b, j);
  return in_triangle(r, j) && !masked(r, j) && same;
}

static void answer(row* r) { attend_to(r, seen); }

MUTANT("query-segments-of-keys", ATTEST_SEGMENTS, F32);
