/* noncontig-input: the rows of v are taken to lie one after the other, whatever its strides say.
 * Public: flagos-ai/FlagGems #5896, pytorch/pytorch #112577. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  attest_tensor dense = *r->v;
  const bool has_gaps = dense.strides[2] > value_width(r); /* elsewhere it would leave the memory */
  if (planted && has_gaps) dense.strides[2] = value_width(r);
  r->v = &dense;
  attend(r);
}

MUTANT("noncontig-input", 0, F32);
