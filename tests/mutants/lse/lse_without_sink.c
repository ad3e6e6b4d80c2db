/* lse-without-sink: lse leaves the sink out, which the output counts. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  attend(r);
  const number keys_alone = r->l - weight(r->sink, r->m);
  if (planted && r->call->sink) set_lse(r, keys_alone > 0 ? r->m + log(keys_alone) : -INFINITY);
}

MUTANT("lse-without-sink", ATTEST_SINK | ATTEST_LSE, F32);
