/* scale-model-dim: scores are divided by the root of the model's width, all heads together, when
 * each head has its own. Too flat; invisible for one head. Public: karpathy/ng-video-lecture #6,
 * NVIDIA/Megatron-LM #1501. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted) r->scale = 1 / sqrt((number)(query_heads(r) * width(r)));
  attend(r);
}

MUTANT("scale-model-dim", ATTEST_CAUSAL_TOP_LEFT, F32);
