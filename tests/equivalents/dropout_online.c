/* Right: tile by tile with a running maximum. Dropped keys enter the sum of the weights, their
 * values are not touched; the scale is computed from p in float and meets 1 / l. */
#include "tests/mutants/dropout.h"
#include "tests/mutants/online.h"

static void visit(row* r, int64_t first, int64_t last) {
  raise_to(r, greatest(r, first, last, r->m));
  for (int64_t j = first; j < last; ++j) {
    const number p = weight(r->t[j], r->m);
    r->l += p;
    if (!dropped(r, j)) add_value(r, j, p);
  }
}

static void answer(row* r) {
  const number p = (number)(1 - 1 / r->call->dropout_scale), scale = 1 / (1 - p);
  score_keys(r);
  start(r);
  for (int64_t first = 0; first < r->keys; first += tile_size)
    visit(r, first, smaller(first + tile_size, r->keys));
  write_answer(r);
  const number factor = scale / r->l;
  for (int64_t d = 0; d < value_width(r) && r->l > 0; ++d) set_output(r, d, r->sums[d] * factor);
}

MUTANT("dropout-online", EVERY_FEATURE | ATTEST_DROPOUT, F32 | F16 | BF16);
