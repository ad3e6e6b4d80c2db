/* global-keys-in-the-future: global keys are seen beyond the causal triangle too. */
#include "tests/mutants/patterns.h"

static bool seen(const row* r, int64_t j) {
  if (planted && is_global(r, j)) return !masked(r, j);
  return reachable(r, j) && (is_global(r, j) || in_window(r, j));
}

static void answer(row* r) { attend_to(r, seen); }

MUTANT("global-keys-in-the-future", ATTEST_GLOBAL_KEYS | ATTEST_WINDOW | CAUSAL | ATTEST_MASK, F32);
