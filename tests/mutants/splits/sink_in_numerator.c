/* sink-in-numerator: the sink has a value too: that of the first key. Public:
 * fla-org/flash-linear-attention #831. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  mix_values(r);
  const number p = weight(r->sink, r->m);
  for (int64_t d = 0; planted && r->keys > 0 && d < value_width(r); ++d)
    r->sums[d] += p * value(r, 0, d);
  write_answer(r);
}

MUTANT("sink-in-numerator", ATTEST_SINK, F32);
