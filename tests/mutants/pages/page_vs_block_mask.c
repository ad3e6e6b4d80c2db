/* page-vs-blockmask: the keys of a block of the block mask that is larger than a page are taken to
 * lie one after the other, from the page of its first key on. */
#include "tests/mutants/pages.h"

static slot from_start_of_block(const cache* c, int64_t b, int64_t j) {
  const int64_t block = c->call->block_keys;
  if (!c->call->block_mask || block <= c->page) return slot_of(c, b, j);
  const int64_t first = j / block * block;
  const slot s = slot_of(c, b, first);
  const int64_t n = s.n + j - first;
  return (slot){clamped(s.page + n / c->page, c->pages), n % c->page};
}

static const steps wrong = {keys_of, from_start_of_block, from_start_of_block, element_of};

PAGED_MUTANT("page-vs-blockmask", PAGES | ATTEST_BLOCK_MASK, wrong);
