/* masked-k-nan: a removed key is scored and -inf is added to its score; where k holds NaN beyond
 * the length the sum is NaN, and so is the row. Public: pytorch/pytorch #101967,
 * ggml-org/llama.cpp #3523. */
#include "tests/mutants/plain.h"

static number weight_of_sum(number t, number m) { return isnan(t) ? t : weight(t, m); }

static void answer(row* r) {
  const int64_t scored = planted ? r->k->sizes[2] : r->keys;
  for (int64_t j = 0; j < scored; ++j) r->t[j] = score(r, j) + (kept(r, j) ? 0 : -INFINITY);
  find_greatest(r);
  for (int64_t j = 0; j < scored; ++j) r->l += r->p[j] = weight_of_sum(r->t[j], r->m);
  mix_values(r);
  for (int64_t d = 0; d < value_width(r); ++d) set_output(r, d, r->l == 0 ? 0 : r->sums[d] / r->l);
}

MUTANT("masked-k-nan", ATTEST_LENGTHS, F32);
