/* empty-row-dispatch-split: a row that mask and length empty together is NaN, on the path that
 * serves only their combination. Public: pytorch/pytorch #190486, #110213. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  attend(r);
  const bool other_path = r->mask && r->call->lengths;
  for (int64_t d = 0; planted && other_path && r->l == 0 && d < value_width(r); ++d)
    set_output(r, d, NAN);
}

MUTANT("empty-row-dispatch-split", ATTEST_MASK | ATTEST_LENGTHS, F32);
