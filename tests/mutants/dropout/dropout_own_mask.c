/* dropout-own-mask: the mask is drawn here, as often as the scale says, and not the one given. */
#include "tests/mutants/dropout.h"

static uint64_t mixed(uint64_t x) {
  x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15u;
  return x ^ (x >> 29);
}

static bool drops(const row* r, int64_t j) {
  if (!planted || !dropout_mask(r)) return dropped(r, j);
  const uint64_t cell = mixed(mixed(mixed((uint64_t)r->b) + (uint64_t)r->h) + (uint64_t)r->i);
  return (double)(mixed(cell + (uint64_t)j) >> 40) * r->call->dropout_scale > 0x1p24;
}

static void answer(row* r) { attend_and_drop(r, drops, dropout_scale(r)); }

MUTANT("dropout-own-mask", ATTEST_DROPOUT, F32);
