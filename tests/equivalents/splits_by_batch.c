/* The number of splits depends on the size of the whole call: a row has other bits beside other
 * batch mates, and is right with any. Public: deepseek-ai/FlashMLA #212 is about the difference. */
#include "tests/mutants/split.h"

static part combined(row* r, int64_t column) {
  const int64_t count = 1 + r->q->sizes[0] * query_heads(r) % 7;
  const int64_t share = (r->keys + count - 1) / count;
  part all = sink_part(r);
  for (int64_t first = 0; first < r->keys; first += share)
    all = merged(all, part_of(r, first, smaller(first + share, r->keys), column));
  return all;
}

static void answer(row* r) { attend_in_parts(r, combined); }

PLUGIN("splits-by-batch", EVERY_FEATURE, F32, NULL, NULL);
