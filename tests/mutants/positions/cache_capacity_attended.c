/* cache-capacity-attended: the mask is built for the capacity of the cache, not for its length:
 * slots that were never written take part. Public: meta-pytorch/gpt-fast #233. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted) r->keys = r->k->sizes[2];
  attend(r);
}

MUTANT("cache-capacity-attended", ATTEST_LENGTHS, F32);
