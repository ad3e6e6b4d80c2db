/* The last chunk has no triangle: its outputs see what comes after them. */
#include "tests/recurrences/chunks.h"

static void pass_head(head* h) {
  pass_in_chunks(h, 16, solve_by_rows);
  const int64_t first = (h->positions - 1) / 16 * 16;
  if (!planted || h->rate || h->call->normalised) return;
  for (int64_t l = first; l < h->positions; ++l) write_outputs(h, l);
}

RECURRENCE("last_tile_sees_all", EVERY_FEATURE, F32, NULL);
