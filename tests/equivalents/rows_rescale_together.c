/* Two neighbouring queries form a tile: when a score of either exceeds its running maximum by more
 * than 8, both rescale. So the rounding of a row depends on keys that only its neighbour sees. */
#include "tests/mutants/online.h"

static bool exceeds(const row* r, int64_t first, int64_t last) {
  return greatest(r, first, last, -INFINITY) > r->m + 8;
}

static void raise_over(row* r, int64_t first, int64_t last) {
  raise_to(r, greatest(r, first, last, r->m));
}

static void visit_together(row* r, row* neighbour, int64_t first) {
  const int64_t last = smaller(first + tile_size, r->keys);
  if (exceeds(r, first, last) || exceeds(neighbour, first, last)) {
    raise_over(r, first, last);
    raise_over(neighbour, first, last);
  }
  add_keys(r, first, last);
}

/* The row beside this one; the last of an odd number stands alone. */
static row neighbour_of(const row* r, number* room) {
  const int64_t i = (r->i ^ 1) < r->q->sizes[2] ? r->i ^ 1 : r->i;
  row neighbour = row_of(r->call, r->b, r->h, i);
  place_row(&neighbour, room);
  return neighbour;
}

static void answer(row* r) {
  number* room = room_for(r->call);
  row neighbour = neighbour_of(r, room);
  score_keys(r);
  start(r);
  score_keys(&neighbour);
  start(&neighbour);
  for (int64_t first = 0; first < r->keys; first += tile_size) visit_together(r, &neighbour, first);
  write_answer(r);
  free(room);
}

PLUGIN("rows-rescale-together", EVERY_FEATURE, F16, NULL,
       "{\"from\": \"fp16-flash\", \"rescale_threshold\": 8}");
