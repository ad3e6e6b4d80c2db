/* dropout-all-is-nan: a row whose keys are all dropped is divided by what they leave, 0 by 0. */
#include "tests/mutants/dropout.h"

static void answer(row* r) {
  attend_and_drop(r, dropped, dropout_scale(r));
  number kept_sum = 0, sum = 0;
  for (int64_t j = 0; j < r->keys; ++j) {
    sum += weight(r->t[j], r->m);
    if (!dropped(r, j)) kept_sum += weight(r->t[j], r->m);
  }
  for (int64_t d = 0; d < value_width(r) && planted && sum > 0 && kept_sum == 0; ++d)
    set_output(r, d, NAN);
}

MUTANT("dropout-all-is-nan", ATTEST_DROPOUT, F32);
