/* Leaves the state that it is asked for unwritten. */
#include "tests/recurrences/head.h"

static void pass_head(head* h) {
  static attest_recurrence without_state;
  recurrent_pass(h);
  without_state = *h->call;
  without_state.state_out = NULL;
  h->call = &without_state;
}

RECURRENCE("leaves_state_out",
           ATTEST_RECURRENCE_SUM | ATTEST_RECURRENCE_IDENTITY | ATTEST_RECURRENCE_STATE_OUT, F32,
           NULL);
