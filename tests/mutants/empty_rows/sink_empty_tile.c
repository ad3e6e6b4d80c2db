/* sink-empty-tile: a row that no key was kept in has the maximum -1e5, and the sink relative to
 * that is infinite. Public: NVIDIA/TensorRT-LLM #19220. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  const bool empty = r->m == r->sink && greatest(r, 0, r->keys, -INFINITY) == -INFINITY;
  if (planted && empty && r->sink > -INFINITY) r->m = -1e5f;
  weigh_keys(r);
  mix_values(r);
  write_answer(r);
}

MUTANT("sink-empty-tile", ATTEST_SINK | ATTEST_LSE | ATTEST_WINDOW | CAUSAL, F32);
