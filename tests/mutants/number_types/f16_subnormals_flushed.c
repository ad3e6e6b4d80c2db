/* f16-subnormals-flushed: subnormal float16 values are read as 0. */
#include "tests/mutants/plain.h"

static number normal_or_zero(number x) { return planted && fabs(x) < 0x1p-14f ? 0 : x; }

static void answer(row* r) {
  attend(r);
  clear_sums(r);
  for (int64_t j = 0; j < r->keys; ++j)
    for (int64_t d = 0; d < value_width(r); ++d)
      r->sums[d] += r->p[j] * normal_or_zero(value(r, j, d));
  write_answer(r);
}

MUTANT("f16-subnormals-flushed", 0, F16);
