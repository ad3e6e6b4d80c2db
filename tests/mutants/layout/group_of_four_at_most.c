/* group-of-four-at-most: of more than four query heads that share a KV head the fifth is answered
 * as the first, the sixth as the second. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  const int64_t group = query_heads(r) / kv_heads(r);
  row asked = *r;
  if (planted && r->h % group >= 4) asked.h = r->h - 4;
  score_keys(&asked);
  find_greatest(&asked);
  weigh_keys(&asked);
  mix_values(&asked);
  asked.h = r->h;
  write_answer(&asked);
}

MUTANT("group-of-four-at-most", ATTEST_GROUPED_HEADS, F32);
