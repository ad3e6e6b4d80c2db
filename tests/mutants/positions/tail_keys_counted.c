/* tail-keys-counted: the keys that fill the last tile have k = 0 and v = 0, and take part.
 * Public: flashinfer-ai/flashinfer #5090, 66RING/tiny-flash-attention #12. */
#include "tests/mutants/online.h"

static void answer(row* r) {
  const int64_t tail = planted ? (tile_size - r->keys % tile_size) % tile_size : 0;
  score_keys(r);
  start(r);
  for (int64_t first = 0; first < r->keys; first += tile_size) visit_tile(r, first);
  if (tail > 0) raise_to(r, fmax(r->m, 0));
  r->l += (number)tail * weight(tail > 0 ? 0 : -INFINITY, r->m);
  write_answer(r);
}

MUTANT("tail-keys-counted", 0, F32);
