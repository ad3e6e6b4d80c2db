/* last-column-of-key-before: the last column of v is read one key too early. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  attend(r);
  const int64_t d = value_width(r) - 1;
  number sum = 0;
  for (int64_t j = 0; j < r->keys; ++j) sum += r->p[j] * value(r, planted && j > 0 ? j - 1 : j, d);
  set_output(r, d, r->l > 0 ? sum / r->l : 0);
}

MUTANT("last-column-of-key-before", 0, F32);
