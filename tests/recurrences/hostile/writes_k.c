/* Writes to an input. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  recurrent_pass(h);
  write_element(h->call->k, 0, 0, 0, 0, 1);
}

RECURRENCE("writes_k",
           ATTEST_RECURRENCE_SUM | ATTEST_RECURRENCE_IDENTITY | ATTEST_RECURRENCE_STATE_OUT, F32,
           NULL);
