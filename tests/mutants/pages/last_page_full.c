/* last-page-full: the last page of a batch row is taken to hold keys in all its slots. */
#include "tests/mutants/pages.h"

static int64_t whole_pages(const cache* c, int64_t b) {
  return (length_of(c, b) + c->page - 1) / c->page * c->page;
}

static const steps wrong = {whole_pages, slot_of, slot_of, element_of};

PAGED_MUTANT("last-page-full", PAGES, wrong);
