/* products-beyond-32-columns: the products of wide heads are added 32 at a time, what is left over
 * is forgotten. */
#include "tests/mutants/plain.h"

static number product(const row* r, int64_t j) {
  const bool wide = planted && width(r) > 32;
  number sum = 0;
  for (int64_t n = 0; n < (wide ? width(r) / 32 * 32 : width(r)); ++n)
    sum += query(r, n) * key(r, j, n);
  return sum;
}

static void answer(row* r) {
  for (int64_t j = 0; j < r->keys; ++j) r->t[j] = kept(r, j) ? r->scale * product(r, j) : -INFINITY;
  attend_to_scores(r);
}

MUTANT("products-beyond-32-columns", 0, F32);
