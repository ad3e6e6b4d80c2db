/* The decay is that of the next head. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  const int64_t heads = h->call->k->sizes[1];
  for (int64_t l = 0; planted && l < h->positions; ++l)
    for (int64_t t = 0; t < h->width; ++t)
      row_of(h, h->log, l)[t] = log_at(h, (h->g + 1) % heads, l, t);
  recurrent_pass(h);
}

RECURRENCE("decay_of_next_head", EVERY_FEATURE, F32, NULL);
