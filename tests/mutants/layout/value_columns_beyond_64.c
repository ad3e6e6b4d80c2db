/* value-columns-beyond-64: the columns of V beyond the 64th repeat those before. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  attend(r);
  for (int64_t d = 64; planted && r->l > 0 && d < value_width(r); ++d)
    set_output(r, d, r->sums[d - 64] / r->l);
}

MUTANT("value-columns-beyond-64", 0, F32);
