/* group-rounded-to-power-of-two: from five query heads a KV head on, the KV head is found with a
 * shift, as if there were eight of them. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  const int64_t group = query_heads(r) / kv_heads(r);
  if (planted && group > 4 && group < 8) r->g = r->h >> 3;
  attend(r);
}

MUTANT("group-rounded-to-power-of-two", ATTEST_GROUPED_HEADS, F32);
