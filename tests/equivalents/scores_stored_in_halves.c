/* The scaled query, the scores and the weights divided by their sum are stored in the 16-bit
 * type of the inputs. */
#include "tests/mutants/plain.h"

static number stored(const row* r, number x) {
  return (number)rounded(r->q->dtype == ATTEST_F16 ? f16 : bf16, x);
}

static number stored_score(const row* r, int64_t j) {
  number sum = 0;
  for (int64_t n = 0; n < width(r); ++n) sum += stored(r, r->scale * query(r, n)) * key(r, j, n);
  return stored(r, biased(r, j, capped(r, stored(r, sum))));
}

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) r->t[j] = kept(r, j) ? stored_score(r, j) : -INFINITY;
  find_greatest(r);
  weigh_keys(r);
  for (int64_t j = 0; j < r->keys; ++j) r->p[j] = r->l > 0 ? stored(r, r->p[j] / r->l) : 0;
  mix_values(r);
  for (int64_t d = 0; d < value_width(r); ++d) set_output(r, d, r->sums[d]);
  set_lse(r, r->l > 0 ? r->m + log(r->l) : -INFINITY);
}

PLUGIN("scores-stored-in-halves", EVERY_FEATURE, F16 | BF16, NULL, "fp16-eager,bf16-eager");
