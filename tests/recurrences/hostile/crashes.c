/* Writes through a null pointer. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  recurrent_pass(h);
  *(volatile number*)NULL = h->S[0];
}

RECURRENCE("crashes",
           ATTEST_RECURRENCE_SUM | ATTEST_RECURRENCE_IDENTITY | ATTEST_RECURRENCE_STATE_OUT, F32,
           NULL);
