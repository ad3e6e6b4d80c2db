/* Gives no answer. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  volatile int64_t turns = h->positions;
  while (turns > 0) turns = h->positions;
}

RECURRENCE("loops_forever",
           ATTEST_RECURRENCE_SUM | ATTEST_RECURRENCE_IDENTITY | ATTEST_RECURRENCE_STATE_OUT, F32,
           NULL);
