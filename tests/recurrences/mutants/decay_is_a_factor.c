/* Logarithms of decay are taken for the factors themselves. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  for (int64_t n = 0; planted && h->call->decay && n < h->positions * h->width; ++n)
    h->log[n] = log(1 + h->log[n] > 0 ? 1 + h->log[n] : 0);
  recurrent_pass(h);
}

RECURRENCE("decay_is_a_factor", EVERY_FEATURE, F32, NULL);
