/* Query head h is served by KV head h mod Hkv, which the profile says. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  r->g = r->h % kv_heads(r);
  attend(r);
}

PLUGIN("tiled-heads", EVERY_FEATURE, F32, "tiled-heads", NULL);
