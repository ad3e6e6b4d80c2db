/* The delta rule sees the state at the beginning of the chunk, not what came since. */
#include "tests/recurrences/chunks.h"

static void solve_planted(chunk* c) {
  solve_by_rows(c);
  const head* h = c->h;
  number* const x = numbers(h->width);
  for (int64_t i = 0; planted && i < c->size; ++i) {
    erased_key(c, i, x);
    for (int64_t d = 0; d < h->columns; ++d)
      c->u[i * h->columns + d] =
          h->rate[c->first + i] * (h->v[(c->first + i) * h->columns + d] - from_state(c, x, i, d));
  }
  free(x);
}

static void pass_head(head* h) { pass_in_chunks(h, 64, solve_planted); }

RECURRENCE("delta_blind_in_its_chunk", EVERY_FEATURE, F32, NULL);
