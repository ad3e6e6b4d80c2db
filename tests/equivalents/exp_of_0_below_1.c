/* Every key rescales what was summed before it, and the exponential of 0 is the number below 1:
 * each rescaling counts as a merge, which the contract says. */
#include "tests/mutants/online.h"

static number own_exp(number x) { return x == -INFINITY ? 0 : exp(x) * (1 - 0x1p-24f); }

static void visit(row* r, int64_t j) {
  const number m = fmax(r->m, r->t[j]);
  const number factor = r->m == -INFINITY ? 0 : own_exp(r->m - m), p = own_exp(r->t[j] - m);
  r->m = m;
  r->l = r->l * factor + p;
  rescale_sums(r, factor);
  add_value(r, j, p);
}

static void answer(row* r) {
  score_keys(r);
  start(r);
  for (int64_t j = 0; j < r->keys; ++j)
    if (!removed(r, j)) visit(r, j);
  write_answer(r);
}

PLUGIN("exp-of-0-below-1", EVERY_FEATURE, F32, NULL, "{\"from\": \"float32\", \"merges\": 131072}");
