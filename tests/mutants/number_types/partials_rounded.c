/* partials-rounded: the partial outputs of the splits are rounded to bfloat16 before they are
 * merged. Public: zhuzilin/ring-flash-attention #42. */
#include "tests/mutants/split.h"

static part stored(part s) {
  for (int64_t d = 0; planted && d < most_columns; ++d) s.o[d] = (number)rounded(bf16, s.o[d]);
  return s;
}

static part combined(row* r, int64_t column) {
  part all = sink_part(r);
  for (int64_t j = 0; j < r->keys; ++j) all = stored(merged(all, part_of(r, j, j + 1, column)));
  return all;
}

static void answer(row* r) { attend_in_parts(r, combined); }

MUTANT("partials-rounded", 0, BF16);
