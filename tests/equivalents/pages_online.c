/* Right: walks the pages of a batch row in their order, with a running maximum. */
#include "tests/mutants/page_by_page.h"

static void answer(row* r) {
  start(r);
  for (int64_t n = 0; n < pages_of_row(r); ++n) visit_page(r, n);
  write_answer(r);
}

MUTANT("pages-online", EVERY_FEATURE | PATTERNS | ATTEST_ALIBI | ATTEST_PAGES, F32);
