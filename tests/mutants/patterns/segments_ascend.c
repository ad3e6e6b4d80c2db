/* segments-ascend: keys are looked through until a segment with a greater name than the query's. */
#include "tests/mutants/patterns.h"

static bool follows_a_greater(const row* r, int64_t j) {
  const attest_forward* c = r->call;
  const int64_t own = integer(c->query_segments, r->b, r->i);
  for (int64_t n = 0; n < j; ++n)
    if (integer(c->key_segments, r->b, n) > own) return true;
  return false;
}

static bool seen(const row* r, int64_t j) {
  const bool in_order = planted && r->call->query_segments;
  return reachable(r, j) && !(in_order && follows_a_greater(r, j));
}

static void answer(row* r) { attend_to(r, seen); }

MUTANT("segments-ascend", ATTEST_SEGMENTS, F32);
