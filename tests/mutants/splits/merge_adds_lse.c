/* merge-adds-lse: the lse of two parts are added, when their exponentials are to be. Public:
 * zhuzilin/ring-flash-attention #20. */
#include "tests/mutants/split.h"

static part combined(row* r, int64_t column) {
  const int64_t half = r->keys / 2;
  const part low = part_of(r, 0, half, column), high = part_of(r, half, r->keys, column);
  part all = merged(low, high);
  if (planted && low.l > 0 && high.l > 0) all.m = low.m + high.m + log(low.l * high.l / all.l);
  return all;
}

static void answer(row* r) { attend_in_parts(r, combined); }

MUTANT("merge-adds-lse", ATTEST_LSE, F32);
