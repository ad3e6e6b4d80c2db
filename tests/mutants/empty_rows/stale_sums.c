/* stale-sums: the sums of a row are cleared only when a key was kept: a row without keys repeats
 * the one before. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  static number before[512]; /* the output of the row before */
  attend(r);
  const bool first_row = r->b == 0 && r->h == 0 && r->i == 0;
  for (int64_t d = 0; d < smaller(value_width(r), 512); ++d) {
    if (planted && r->l == 0 && !first_row) set_output(r, d, before[d]);
    before[d] = read(r->o, r->b, r->h, r->i, d);
  }
}

MUTANT("stale-sums", ATTEST_MASK | ATTEST_LENGTHS, F32);
