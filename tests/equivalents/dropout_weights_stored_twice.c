/* Right: weights are normalised and stored in the type of the inputs, then multiplied by the scale
 * of dropout and stored once more. */
#include "tests/mutants/dropout.h"

static number stored(const row* r, number x) {
  if (r->q->dtype == ATTEST_F32) return x;
  return (number)rounded(r->q->dtype == ATTEST_F16 ? f16 : bf16, x);
}

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  for (int64_t j = 0; j < r->keys && r->l > 0; ++j)
    r->p[j] = dropped(r, j) ? 0 : stored(r, stored(r, r->p[j] / r->l) * dropout_scale(r));
  mix_values(r);
  for (int64_t d = 0; d < value_width(r); ++d) set_output(r, d, r->sums[d]);
  set_lse(r, r->l > 0 ? r->m + log(r->l) : -INFINITY);
}

PLUGIN("dropout-weights-stored-twice", EVERY_FEATURE | ATTEST_DROPOUT, F32 | F16 | BF16, NULL,
       "float32,fp16-eager,bf16-eager");
