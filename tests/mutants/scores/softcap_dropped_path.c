/* softcap-dropped-path: the path for a single query knows no soft cap. Public: vllm-project/vllm
 * #11252, ml-explore/mlx-swift-examples #99. */
#include "tests/mutants/plain.h"

static void answer(row* r) {
  if (planted && queries(r) == 1) r->soft_cap = 0;
  attend(r);
}

MUTANT("softcap-dropped-path", ATTEST_SOFT_CAP | CAUSAL, F32);
