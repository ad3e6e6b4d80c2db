/* dropout-scale-by-share-kept: the factor is the number of keys over the number of kept ones, which
 * is the scale on average only. */
#include "tests/mutants/dropout.h"

static number scale_of(const row* r) {
  number all = 0, left = 0;
  for (int64_t j = 0; j < r->keys; ++j) {
    all += 1;
    if (!dropped(r, j)) left += 1;
  }
  return planted && dropout_mask(r) && left > 0 ? all / left : dropout_scale(r);
}

static void answer(row* r) { attend_and_drop(r, dropped, scale_of(r)); }

MUTANT("dropout-scale-by-share-kept", ATTEST_DROPOUT, F32);
