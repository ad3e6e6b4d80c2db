/* gqa-wrong-divisor: the KV head is found with the number of KV heads as divisor, not with the
 * size of a group. Public: PSAL-POSTECH/ONNXim #33, #34. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted) r->g = r->h / kv_heads(r) % kv_heads(r);
  attend(r);
}

MUTANT("gqa-wrong-divisor", ATTEST_GROUPED_HEADS, F32);
