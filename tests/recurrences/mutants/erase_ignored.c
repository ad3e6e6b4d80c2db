/* The delta rule looks up all of a key, whatever the gate says. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  for (int64_t n = 0; planted && n < h->positions * h->width; ++n) h->erase[n] = 1;
  recurrent_pass(h);
}

RECURRENCE("erase_ignored", EVERY_FEATURE, F32, NULL);
