/* alibi-slope-bytes: in the second half of the heads the bias is found with the element size of
 * another type, at twice the index. Public: ggml-org/llama.cpp #20031. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  row of_bias = *r;
  if (planted && 2 * r->h >= query_heads(r)) of_bias.h = 2 * r->h % query_heads(r);
  for (int64_t j = 0; j < r->keys; ++j) r->t[j] = biased(&of_bias, j, r->scale * dot(r, j));
  attend_to_scores(r);
}

MUTANT("alibi-slope-bytes", ATTEST_BIAS, F16);
