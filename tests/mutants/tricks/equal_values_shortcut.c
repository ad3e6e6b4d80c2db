/* equal-values-shortcut: a column whose first two values are equal is taken to be constant, and
 * not mixed. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  attend(r);
  for (int64_t d = 0; planted && r->l > 0 && r->keys > 1 && d < value_width(r); ++d)
    if (value(r, 0, d) == value(r, 1, d)) set_output(r, d, value(r, 0, d));
}

MUTANT("equal-values-shortcut", 0, F32);
