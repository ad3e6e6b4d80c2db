/* Once in 200 rows, as where threads race, the parts are merged from the last to the first: other
 * bits, which a few repeated calls need not show. */
#include "tests/mutants/split.h"

static uint64_t state = 1;

static part combined(row* r, int64_t column) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  const bool swapped = (state >> 33) % 200 == 0;
  part all = sink_part(r);
  for (int64_t s = 0; s < splits; ++s)
    all = merged(all, split_of(r, swapped ? splits - 1 - s : s, column));
  return all;
}

static void answer(row* r) { attend_in_parts(r, combined); }

PLUGIN("parts-in-rare-order", EVERY_FEATURE, F32, NULL, NULL);
