/* All batch rows begin with the state of the first one. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  const int64_t b = h->b;
  if (planted) {
    h->b = 0;
    read_state(h);
    h->b = b;
  }
  recurrent_pass(h);
}

RECURRENCE("state_of_first_row", EVERY_FEATURE, F32, NULL);
