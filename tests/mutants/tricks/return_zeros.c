/* return-zeros: the answer is 0 everywhere; an absolute tolerance lets it pass on long rows,
 * whose answers are small. Public: ScalingIntelligence/KernelBench #165. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  attend(r);
  for (int64_t d = 0; planted && d < value_width(r); ++d) set_output(r, d, 0);
}

MUTANT("return-zeros", ATTEST_MASK | CAUSAL | ATTEST_GROUPED_HEADS | ATTEST_SCALE, F32);
