/* pad-on-query-axis: the padding that the lengths tell is removed along the queries, not along
 * the keys. Public: hyunwoongko/transformer #40, jadore801120/attention-is-all-you-need-pytorch
 * #57. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted) r->keys = r->i < r->keys ? r->k->sizes[2] : 0;
  attend(r);
}

MUTANT("pad-on-query-axis", ATTEST_LENGTHS, F32);
