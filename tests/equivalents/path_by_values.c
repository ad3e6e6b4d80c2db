/* Where a value is large, masked or not, the sums of its batch row and head are taken from the last
 * key to the first: another path, as right as the usual one. */
#include "tests/mutants/plain.h"

static number largest(const row* r) {
  number m = 0;
  for (int64_t j = 0; j < r->keys; ++j)
    for (int64_t d = 0; d < value_width(r); ++d) m = fmax(m, fabs(value(r, j, d)));
  return m;
}

static void attend_backwards(row* r) {
  score_keys(r);
  find_greatest(r);
  r->l = weight(r->sink, r->m);
  clear_sums(r);
  for (int64_t j = r->keys - 1; j >= 0; --j) {
    r->l += r->p[j] = weight(r->t[j], r->m);
    add_value(r, j, r->p[j]);
  }
  write_answer(r);
}

static void answer(row* r) {
  if (largest(r) > 100)
    attend_backwards(r);
  else
    attend(r);
}

PLUGIN("path-by-values", EVERY_FEATURE, F32, NULL, NULL);
