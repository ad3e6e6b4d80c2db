/* merge-two-empty: two empty parts are merged by exp(-inf - -inf), which is NaN. Public:
 * flashinfer-ai/flashinfer #4051, vllm-project/vllm #28181. */
#include "tests/mutants/split.h"

static part merged_unguarded(part a, part b) {
  if (planted && a.l == 0 && b.l == 0)
    for (int64_t d = 0; d < most_columns; ++d) a.o[d] = NAN;
  else
    a = merged(a, b);
  return a;
}

static part combined(row* r, int64_t column) {
  const part low = merged(split_of(r, 0, column), split_of(r, 1, column));
  const part high = merged(split_of(r, 2, column), split_of(r, 3, column));
  return merged_unguarded(low, high);
}

static void answer(row* r) { attend_in_parts(r, combined); }

MUTANT("merge-two-empty", ATTEST_MASK | CAUSAL, F32);
