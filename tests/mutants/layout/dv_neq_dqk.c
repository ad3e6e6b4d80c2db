/* dv-neq-dqk: the columns of v beyond the width of q and k are not computed. Public:
 * pytorch/pytorch #135882, lucidrains/flash-attention-jax #15. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  attend(r);
  for (int64_t d = width(r); planted && d < value_width(r); ++d) set_output(r, d, 0);
}

MUTANT("dv-neq-dqk", 0, F32);
