/* The state that is returned lacks the last position. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  const size_t size = (size_t)(h->width * h->columns) * sizeof *h->S;
  number* const before = numbers(h->width * h->columns);
  for (int64_t l = 0; l < h->positions; ++l) {
    memcpy(before, h->S, size);
    absorb(h, l);
    write_outputs(h, l);
  }
  if (planted) memcpy(h->S, before, size);
  free(before);
}

RECURRENCE("state_one_early", EVERY_FEATURE, F32, NULL);
