/* Outputs are multiplied by 1 / sqrt(D), whatever was asked. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  if (planted) h->scale = 1 / sqrt((number)h->call->q->sizes[3]);
  recurrent_pass(h);
}

RECURRENCE("scale_ignored", EVERY_FEATURE, F32, NULL);
