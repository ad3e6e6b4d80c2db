// The K and V of a problem as a cache keeps them: in pages of a pool, which a page table names.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/problems/problem.h"

namespace attest {

// Position j of batch row b lies in page table[b entries + j / page] of both pools, slot j % page.
struct page_pool {
  tensor k, v;                        // [pages, Hkv, page, D] and [pages, Hkv, page, Dv]
  std::vector<std::int64_t> table;    // [B, entries]; no_page where a page would hold no valid key
  std::vector<std::int64_t> lengths;  // [B], the valid keys, where the problem has no lengths too
  std::int64_t entries = 0;           // of a batch row, one at least
};

inline constexpr std::int64_t no_page = -1;

// Computes: how many pages of that size so many keys need.
constexpr std::int64_t pages_for(std::int64_t keys, std::int64_t page) {
  return keys / page + (keys % page != 0);
}

// Computes: k and v of the problem laid out as problem.paged says, the same every time.
// Domain: problem.paged.page > 0.
// Result: pools of the layout that k and v have, dense ones where batch rows share one. The pages,
//   one at least, lie in an order that follows from paged.order. Slots without a valid key, and
//   pages that no entry names, hold NaN; where paged.stale, numbers of k and v: the row's own
//   beyond its length.
page_pool lay_in_pages(const problem&);

// Computes: the problem with k and v as the table finds them in the pools, dense; NaN beyond the
// lengths.
// Domain: entries of pages with valid keys are pages of the pool.
problem read_from_pages(const problem&, const page_pool&);

// Domain: the pool was laid out for the problem. What was written in it since, spare pages
// included, changes a bit of the problem's k, v, lengths or paging.
void return_writes(const page_pool&, problem&);

}  // namespace attest
