/* sink-double: every split adds the sink. Public: ROCm/rocm-libraries #12227,
 * ROCm/composable_kernel #3490. */
#include "tests/mutants/split.h"

static part combined(row* r, int64_t column) {
  part all = sink_part(r);
  for (int64_t s = 0; s < splits; ++s) {
    const part one = split_of(r, s, column);
    all = merged(all, planted && s > 0 ? merged(one, sink_part(r)) : one);
  }
  return all;
}

static void answer(row* r) { attend_in_parts(r, combined); }

MUTANT("sink-double", ATTEST_SINK | ATTEST_LSE, F32);
