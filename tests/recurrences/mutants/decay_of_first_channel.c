/* Of a decay a channel the first one is taken for all. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  for (int64_t l = 0; planted && l < h->positions; ++l)
    for (int64_t t = 0; t < h->width; ++t) row_of(h, h->log, l)[t] = row_of(h, h->log, l)[0];
  recurrent_pass(h);
}

RECURRENCE("decay_of_first_channel", EVERY_FEATURE, F32, NULL);
