/* first-tile-empty: a first tile without kept keys makes exp(-inf - -inf), which is NaN; a row
 * that is empty throughout is caught at the end. */
#include "tests/mutants/online.h"

static number unguarded(number t, number m) { return exp(t - m); }

static void answer(row* r) {
  attend_online(r);
  const number top = greatest(r, 0, smaller(tile_size, r->keys), r->sink);
  const bool meets_nan = r->l > 0 && top == -INFINITY;
  for (int64_t d = 0; planted && meets_nan && d < value_width(r); ++d)
    set_output(r, d, unguarded(top, top));
}

MUTANT("first-tile-empty", ATTEST_MASK | ATTEST_WINDOW | CAUSAL, F32);
