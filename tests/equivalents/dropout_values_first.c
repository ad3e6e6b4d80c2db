/* Right: the values have the scale of dropout, stored in the type of the inputs, before weights
 * that are normalised and stored in it too meet them. */
#include "tests/mutants/dropout.h"

static number stored(const row* r, number x) {
  if (r->q->dtype == ATTEST_F32) return x;
  return (number)rounded(r->q->dtype == ATTEST_F16 ? f16 : bf16, x);
}

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  for (int64_t d = 0; d < value_width(r); ++d) {
    number sum = 0;
    for (int64_t j = 0; j < r->keys && r->l > 0; ++j)
      if (!removed(r, j) && !dropped(r, j))
        sum += stored(r, r->p[j] / r->l) * stored(r, value(r, j, d) * dropout_scale(r));
    set_output(r, d, sum);
  }
  set_lse(r, r->l > 0 ? r->m + log(r->l) : -INFINITY);
}

PLUGIN("dropout-values-first", EVERY_FEATURE | ATTEST_DROPOUT, F32 | F16 | BF16, NULL,
       "float32,fp16-eager,bf16-eager");
