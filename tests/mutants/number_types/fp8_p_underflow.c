/* fp8-p-underflow: weights are stored in e4m3 as they are, not lifted into its range: the small
 * ones vanish from p v and stay in their sum. Public: ROCm/FlyDSL #1020. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  const number lift = planted ? 1 : 256;
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  for (int64_t j = 0; j < r->keys; ++j) r->p[j] = (number)rounded(e4m3fn, lift * r->p[j]) / lift;
  mix_values(r);
  write_answer(r);
}

MUTANT("fp8-p-underflow", ATTEST_MASK, ATTEST_DTYPE_BIT(ATTEST_F8_E4M3FN));
