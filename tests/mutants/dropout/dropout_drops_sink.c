/* dropout-drops-sink: with a dropout mask the sink has no part in the sum. */
#include "tests/mutants/dropout.h"

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  const number keys_alone = r->l - weight(r->sink, r->m);
  if (planted && dropout_mask(r) && keys_alone > 0) r->l = keys_alone;
  drop_weights(r, dropped, dropout_scale(r));
  mix_values(r);
  write_answer(r);
}

MUTANT("dropout-drops-sink", ATTEST_DROPOUT | ATTEST_SINK, F32);
