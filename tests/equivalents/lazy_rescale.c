/* A running maximum that is raised only when a tile exceeds it by more than 8: weights may be as
 * large as exp(8). */
#include "tests/mutants/online.h"

static void visit_lazily(row* r, int64_t first, int64_t last) {
  const number top = greatest(r, first, last, -INFINITY);
  if (top > r->m + 8) raise_to(r, top);
  add_keys(r, first, last);
}

static void answer(row* r) {
  score_keys(r);
  start(r);
  for (int64_t first = 0; first < r->keys; first += tile_size)
    visit_lazily(r, first, smaller(first + tile_size, r->keys));
  write_answer(r);
}

PLUGIN("lazy-rescale", EVERY_FEATURE, F16, NULL,
       "{\"from\": \"fp16-flash\", \"rescale_threshold\": 8}");
