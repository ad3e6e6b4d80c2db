/* one-global-key: the first key alone is global, however many are asked for. */
#include "tests/mutants/patterns.h"

static bool seen(const row* r, int64_t j) {
  const bool global = planted ? j < smaller(1, r->call->global_keys) : is_global(r, j);
  return reachable(r, j) && (global || in_window(r, j));
}

static void answer(row* r) { attend_to(r, seen); }

MUTANT("one-global-key", ATTEST_GLOBAL_KEYS | ATTEST_WINDOW, F32);
