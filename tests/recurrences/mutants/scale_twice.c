/* The scale is put on queries, and on outputs again. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  if (planted) h->scale *= h->scale;
  recurrent_pass(h);
}

RECURRENCE("scale_twice", EVERY_FEATURE, F32, NULL);
