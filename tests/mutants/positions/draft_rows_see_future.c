/* draft-rows-see-future: the path for a single query takes the length of the longest batch row
 * for all: it sees keys that were drafted and not accepted. Public: lightseekorg/tokenspeed
 * #217. */
#include "tests/mutants/plain.h"

static int64_t longest(const row* r) {
  int64_t most = 0;
  for (int64_t b = 0; b < r->q->sizes[0]; ++b)
    if (valid_keys(r->call, b) > most) most = valid_keys(r->call, b);
  return most;
}

static void answer(row* r) {
  if (planted && queries(r) == 1) r->keys = longest(r);
  attend(r);
}

MUTANT("draft-rows-see-future", ATTEST_LENGTHS, F32);
