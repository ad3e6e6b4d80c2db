/* kv-heads-equal-shortcut: two KV heads of which the first keys agree are taken to be one. */
#include "tests/mutants/plain.h"

static bool same_first_key(const row* r) {
  for (int64_t n = 0; n < width(r); ++n)
    if (read(r->k, r->b, 0, 0, n) != read(r->k, r->b, r->g, 0, n)) return false;
  return true;
}

static void answer(row* r) {
  if (planted && same_first_key(r)) r->g = 0;
  attend(r);
}

MUTANT("kv-heads-equal-shortcut", 0, F32);
