/* Right: walks the pages of a batch row in the order in which they lie in the pool, so that other
 * places give other bits. */
#include "tests/mutants/page_by_page.h"

static void answer(row* r) {
  start(r);
  for (int64_t page = 0; page < r->k->sizes[0]; ++page)
    for (int64_t n = 0; n < pages_of_row(r); ++n)
      if (page_of(r, n) == page) visit_page(r, n);
  write_answer(r);
}

MUTANT("pages-in-order-of-pool", EVERY_FEATURE | PATTERNS | ATTEST_ALIBI | ATTEST_PAGES, F32);
