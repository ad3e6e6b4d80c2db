/* values-of-other-pages: the table is used for K; V is taken from the pages in their order. */
#include "tests/mutants/pages.h"

static slot in_order(const cache* c, int64_t b, int64_t j) {
  return (slot){(b * c->entries + j / c->page) % c->pages, j % c->page};
}

static const steps wrong = {keys_of, slot_of, in_order, element_of};

PAGED_MUTANT("values-of-other-pages", PAGES, wrong);
