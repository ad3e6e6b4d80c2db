/* split-remainder: the keys are divided among four splits and the remainder of that division is
 * dropped. Public: tile-ai/tilelang #2010. */
#include "tests/mutants/split.h"

static part combined(row* r, int64_t column) {
  const int64_t share = r->keys / splits;
  part all = sink_part(r);
  for (int64_t s = 0; s < splits; ++s)
    all = merged(all, part_of(r, s * share, (s + 1) * share, column));
  return planted ? all : merged(all, part_of(r, splits * share, r->keys, column));
}

static void answer(row* r) { attend_in_parts(r, combined); }

MUTANT("split-remainder", ATTEST_CAUSAL_BOTTOM_RIGHT, F32);
