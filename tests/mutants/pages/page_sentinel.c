/* page-sentinel: an entry of -1 is clamped to page 0, and its keys are counted. */
#include "tests/mutants/pages.h"

static int64_t unnamed_pages(const cache* c, int64_t b) {
  int64_t pages = 0;
  for (int64_t n = 0; n < c->entries; ++n) pages += entry(c, b, n) < 0;
  return pages;
}

/* Behind the valid keys those of page 0, once for each entry that names no page. */
static int64_t with_unnamed(const cache* c, int64_t b) {
  return length_of(c, b) + unnamed_pages(c, b) * c->page;
}

static slot clamped_to_0(const cache* c, int64_t b, int64_t j) {
  return j < length_of(c, b) ? slot_of(c, b, j) : (slot){0, (j - length_of(c, b)) % c->page};
}

static const steps wrong = {with_unnamed, clamped_to_0, clamped_to_0, element_of};

PAGED_MUTANT("page-sentinel", PAGES, wrong);
