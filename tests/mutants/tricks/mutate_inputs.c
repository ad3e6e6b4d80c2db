/* mutate-inputs: v is cleared and then attended to: a reference that runs afterwards on the same
 * memory agrees. Public: ScalingIntelligence/KernelBench #82. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  for (int64_t j = 0; planted && j < r->keys; ++j)
    for (int64_t d = 0; d < value_width(r); ++d) write(r->v, r->b, r->g, j, d, 0);
  attend(r);
}

MUTANT("mutate-inputs", 0, F32);
