/* page-size-power-of-two: the size of a page is rounded up to one, as a shift needs it. */
#include "tests/mutants/pages.h"

static slot by_shifts(const cache* c, int64_t b, int64_t j) {
  int64_t rounded = 1;
  while (rounded < c->page) rounded *= 2;
  return (slot){entry(c, b, j / rounded), j % rounded % c->page};
}

static const steps wrong = {keys_of, by_shifts, by_shifts, element_of};

PAGED_MUTANT("page-size-power-of-two", PAGES, wrong);
