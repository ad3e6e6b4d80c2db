/* dilation-of-keys: the kept keys are the multiples of the dilation, wherever the query stands.
 * */
#include "tests/mutants/patterns.h"

static bool seen(const row* r, int64_t j) {
  const bool in_turn = planted ? j % r->call->dilation == 0 : in_step(r, j);
  return reachable(r, j) && in_turn;
}

static void answer(row* r) { attend_to(r, seen); }

MUTANT("dilation-of-keys", ATTEST_DILATION, F32);
