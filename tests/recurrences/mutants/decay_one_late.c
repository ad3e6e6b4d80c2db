/* A position fades by what is meant for the one before it. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  const size_t size = (size_t)h->width * sizeof *h->log;
  for (int64_t l = h->positions - 1; planted && l >= 0; --l)
    if (l > 0)
      memcpy(row_of(h, h->log, l), row_of(h, h->log, l - 1), size);
    else
      memset(h->log, 0, size);
  recurrent_pass(h);
}

RECURRENCE("decay_one_late", EVERY_FEATURE, F32, NULL);
