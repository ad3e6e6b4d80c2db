/* bf16-sums-of-wide-values: from 64 columns of V on, the sums of p v are kept in bfloat16. */
#include "tests/mutants/plain.h"

static void keep_in_bf16(row* r) {
  for (int64_t d = 0; d < value_width(r); ++d) r->sums[d] = (number)rounded(bf16, r->sums[d]);
}

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  clear_sums(r);
  for (int64_t j = 0; j < r->keys; ++j) {
    add_value(r, j, r->p[j]);
    if (planted && value_width(r) >= 64 && j % 4 == 3) keep_in_bf16(r);
  }
  write_answer(r);
}

MUTANT("bf16-sums-of-wide-values", 0, BF16);
