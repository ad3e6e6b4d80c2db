/* softmax-twice: the weights go through the softmax a second time. Public:
 * layer6ai-labs/TabDPT-inference #46. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  score_keys(r);
  find_greatest(r);
  weigh_keys(r);
  for (int64_t j = 0; planted && j < r->keys; ++j) r->t[j] = r->p[j] / r->l;
  attend_to_scores(r);
}

MUTANT("softmax-twice", 0, F32);
