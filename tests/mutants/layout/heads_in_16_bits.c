/* heads-in-16-bits: heads of all batch rows are numbered with 16 bits; those beyond read another's.
 */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  const int64_t own = r->b, number_of_head = own * query_heads(r) + r->h;
  if (planted && number_of_head > 65535) r->b = (number_of_head & 65535) / query_heads(r);
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  mix_values(r);
  r->b = own;
  write_answer(r);
}

MUTANT("heads-in-16-bits", 0, F32);
