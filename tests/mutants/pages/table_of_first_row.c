/* table-of-first-row: every batch row reads the pages of row 0; where that names none, page 0. */
#include "tests/mutants/pages.h"

static slot of_row_0(const cache* c, int64_t b, int64_t j) {
  (void)b;
  return (slot){clamped(entry(c, 0, j / c->page), c->pages), j % c->page};
}

static const steps wrong = {keys_of, of_row_0, of_row_0, element_of};

PAGED_MUTANT("table-of-first-row", PAGES, wrong);
