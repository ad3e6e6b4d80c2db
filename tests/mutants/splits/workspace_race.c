/* workspace-race: the merge reads the last split before it was written: what lies there is the
 * split of the row before. Public: ggml-org/llama.cpp #13438, ROCm/aiter #4350. */
#include "tests/mutants/split.h"

static part combined(row* r, int64_t column) {
  static part workspace; /* of the last split */
  part all = sink_part(r);
  for (int64_t s = 0; s + 1 < splits; ++s) all = merged(all, split_of(r, s, column));
  const part before = workspace;
  workspace = split_of(r, splits - 1, column);
  const bool first_row = r->b == 0 && r->h == 0 && r->i == 0;
  return merged(all, planted && !first_row ? before : workspace);
}

static void answer(row* r) { attend_in_parts(r, combined); }

MUTANT("workspace-race", ATTEST_CAUSAL_BOTTOM_RIGHT, F32);
