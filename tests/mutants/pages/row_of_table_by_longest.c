/* row-of-table-by-longest: the rows of the table are taken to be as wide as the longest batch row
 * needs, whatever its strides say. */
#include "tests/mutants/pages.h"

static slot in_narrow_table(const cache* c, int64_t b, int64_t j) {
  int64_t longest = 0;
  for (int64_t other = 0; other < c->call->q->sizes[0]; ++other)
    if (length_of(c, other) > longest) longest = length_of(c, other);
  const int64_t needed = (longest + c->page - 1) / c->page;
  const int64_t page = ((const int64_t*)c->table->data)[b * needed + j / c->page];
  return (slot){clamped(page, c->pages), j % c->page};
}

static const steps wrong = {keys_of, in_narrow_table, in_narrow_table, element_of};

PAGED_MUTANT("row-of-table-by-longest", PAGES, wrong);
