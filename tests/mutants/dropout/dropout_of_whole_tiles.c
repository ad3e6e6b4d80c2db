/* dropout-of-whole-tiles: the keys of a last tile that is not full are never dropped. */
#include "tests/mutants/dropout.h"

enum { tile = 4 };

static bool drops(const row* r, int64_t j) {
  const bool whole = (j / tile + 1) * tile <= r->keys;
  return (whole || !planted) && dropped(r, j);
}

static void answer(row* r) { attend_and_drop(r, drops, dropout_scale(r)); }

MUTANT("dropout-of-whole-tiles", ATTEST_DROPOUT, F32);
