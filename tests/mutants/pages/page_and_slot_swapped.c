/* page-and-slot-swapped: keys go round the pages of a row, slot 0 of each before slot 1 of any. */
#include "tests/mutants/pages.h"

static slot swapped(const cache* c, int64_t b, int64_t j) {
  const int64_t pages = (length_of(c, b) + c->page - 1) / c->page;
  return (slot){entry(c, b, j % pages), j / pages};
}

static const steps wrong = {keys_of, swapped, swapped, element_of};

PAGED_MUTANT("page-and-slot-swapped", PAGES, wrong);
