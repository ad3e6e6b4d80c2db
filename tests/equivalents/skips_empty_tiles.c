/* Tiles in which no key is kept are not visited, nor are their scores formed. */
#include "tests/mutants/online.h"

static bool has_kept_key(const row* r, int64_t first, int64_t last) {
  for (int64_t j = first; j < last; ++j)
    if (kept(r, j)) return true;
  return false;
}

static void answer(row* r) {
  start(r);
  for (int64_t first = 0; first < r->keys; first += tile_size) {
    const int64_t last = smaller(first + tile_size, r->keys);
    if (!has_kept_key(r, first, last)) continue;
    for (int64_t j = first; j < last; ++j) r->t[j] = kept(r, j) ? score(r, j) : -INFINITY;
    visit_tile(r, first);
  }
  write_answer(r);
}

PLUGIN("skips-empty-tiles", EVERY_FEATURE, F32, NULL, NULL);
