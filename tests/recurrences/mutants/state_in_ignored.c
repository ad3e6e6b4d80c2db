/* A state that is given is not read. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  for (int64_t n = 0; planted && n < h->width * h->columns; ++n) h->S[n] = 0;
  recurrent_pass(h);
}

RECURRENCE("state_in_ignored", EVERY_FEATURE, F32, NULL);
