/* page-table-ignored: the pages of a batch row are taken to follow each other in the pool, each row
 * behind the one before. */
#include "tests/mutants/pages.h"

static slot in_order(const cache* c, int64_t b, int64_t j) {
  return (slot){(b * c->entries + j / c->page) % c->pages, j % c->page};
}

static const steps wrong = {keys_of, in_order, in_order, element_of};

PAGED_MUTANT("page-table-ignored", PAGES, wrong);
