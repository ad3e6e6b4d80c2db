/* values-in-bfloat16: v is rounded to bfloat16, in a kernel that says that every stage is
 * float32. */
#include "tests/mutants/plain.h"

static number stored(number x) { return planted ? (number)rounded(bf16, x) : x; }

static void answer(row* r) {
  attend(r);
  clear_sums(r);
  for (int64_t j = 0; j < r->keys; ++j)
    for (int64_t d = 0; d < value_width(r); ++d) r->sums[d] += r->p[j] * stored(value(r, j, d));
  write_answer(r);
}

MUTANT("values-in-bfloat16", 0, F32);
