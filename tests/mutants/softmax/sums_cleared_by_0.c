/* sums-cleared-by-0: the sums of the row before are multiplied by 0 instead of set to it. A NaN
 * stays for all rows to come. */
#include "tests/mutants/plain.h"

static void clear(row* r) {
  for (int64_t d = 0; d < value_width(r); ++d) r->sums[d] = planted ? 0 * r->sums[d] : 0;
}

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  clear(r);
  for (int64_t j = 0; j < r->keys; ++j) add_value(r, j, r->p[j]);
  write_answer(r);
}

MUTANT("sums-cleared-by-0", ATTEST_LSE, F32);
