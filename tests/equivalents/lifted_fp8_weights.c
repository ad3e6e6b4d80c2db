/* Weights of 8 bits, lifted by 256 into the range of e4m3. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  for (int64_t j = 0; j < r->keys; ++j) r->p[j] = (number)rounded(e4m3fn, 256 * r->p[j]);
  mix_values(r);
  r->l *= 256;
  write_answer(r);
  set_lse(r, r->l > 0 ? r->m + log(r->l / 256) : -INFINITY);
}

PLUGIN("lifted-fp8-weights", EVERY_FEATURE, ATTEST_DTYPE_BIT(ATTEST_F8_E4M3FN), NULL, NULL);
