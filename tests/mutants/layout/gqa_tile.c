/* gqa-tile: query head h is served by KV head h mod Hkv, when neighbouring query heads share
 * one. Invisible for Hkv = 1 and for Hkv = Hq. Public: onnx/onnx #7274, apple/axlearn #842. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted) r->g = r->h % kv_heads(r);
  attend(r);
}

MUTANT("gqa-tile", ATTEST_GROUPED_HEADS, F32);
