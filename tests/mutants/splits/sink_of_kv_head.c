/* sink-of-kv-head: the sink of the KV head is read, in place of that of the query head. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted && r->call->sink) r->sink = read(r->call->sink, 0, r->g, 0, 0);
  attend(r);
}

MUTANT("sink-of-kv-head", ATTEST_SINK | ATTEST_GROUPED_HEADS, F32);
