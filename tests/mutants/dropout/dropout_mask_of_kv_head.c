/* dropout-mask-of-kv-head: query heads that share a KV head drop the same weights. */
#include "tests/mutants/dropout.h"

static bool drops(const row* r, int64_t j) {
  return dropped_at(r, r->b, planted ? r->g : r->h, r->i, j);
}

static void answer(row* r) { attend_and_drop(r, drops, dropout_scale(r)); }

MUTANT("dropout-mask-of-kv-head", ATTEST_DROPOUT | ATTEST_GROUPED_HEADS, F32);
