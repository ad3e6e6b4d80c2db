/* The keys are divided among eight splits, which are merged as a tree; the sink is a ninth. */
#include "tests/mutants/split.h"

static part subtree(row* r, int64_t first, int64_t last, int depth, int64_t column) {
  if (depth == 0) return part_of(r, first, last, column);
  const int64_t middle = first + (last - first) / 2;
  return merged(subtree(r, first, middle, depth - 1, column),
                subtree(r, middle, last, depth - 1, column));
}

static part combined(row* r, int64_t column) {
  return merged(subtree(r, 0, r->keys, 3, column), sink_part(r));
}

static void answer(row* r) { attend_in_parts(r, combined); }

PLUGIN("merge-tree", EVERY_FEATURE, F32, NULL, NULL);
