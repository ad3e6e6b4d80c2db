/* An output sees the state before its own position. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  for (int64_t l = 0; l < h->positions; ++l) {
    if (planted) write_outputs(h, l);
    absorb(h, l);
    if (!planted) write_outputs(h, l);
  }
}

RECURRENCE("own_position_unseen", EVERY_FEATURE, F32, NULL);
