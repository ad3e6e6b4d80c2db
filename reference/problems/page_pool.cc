#include "reference/problems/page_pool.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>

#include "reference/random.h"

namespace attest {
namespace {

enum stream : std::uint64_t { shuffles = 97 };

constexpr std::uint64_t nan_bits = ~std::uint64_t{0};  // a NaN in every format

// A page of one batch row, before it has a place.
struct row_page {
  std::int64_t b = 0;
  std::int64_t first = 0;  // of its positions
  std::int64_t valid = 0;  // so many of them hold a key
};

// Whether both pages hold the same keys in that many slots.
bool holds_same(const tensor& t, const row_page& one, const row_page& other) {
  for (std::int64_t h = 0; h < t.sizes()[1]; ++h)
    for (std::int64_t slot = 0; slot < one.valid; ++slot)
      for (std::int64_t d = 0; d < t.sizes()[3]; ++d)
        if (t.bits({one.b, h, one.first + slot, d}) != t.bits({other.b, h, other.first + slot, d}))
          return false;
  return true;
}

// The pages of a problem and what each entry of the table names, numbered as they come up.
class page_list {
 public:
  explicit page_list(const problem& p)
      : problem_(p),
        entries_(std::max<std::int64_t>(
            pages_for(p.dims.keys, p.paged.page) + p.paged.spare_entries, 1)) {
    for (std::int64_t b = 0; b < p.dims.batch; ++b)
      for (std::int64_t entry = 0; entry < entries_; ++entry) named_.push_back(number_of(b, entry));
  }

  std::int64_t entries() const { return entries_; }
  const std::vector<row_page>& pages() const { return pages_; }
  const std::vector<std::int64_t>& named() const { return named_; }

 private:
  std::int64_t number_of(std::int64_t b, std::int64_t entry) {
    const std::int64_t first = entry * problem_.paged.page;
    const row_page page{b, first, std::min(problem_.paged.page, problem_.valid_keys(b) - first)};
    if (page.valid <= 0) return no_page;
    if (const auto same = shared_page(page, entry)) return *same;
    pages_.push_back(page);
    return static_cast<std::int64_t>(pages_.size()) - 1;
  }

  // The page of an earlier batch row with the same keys at the same positions: a common prefix.
  std::optional<std::int64_t> shared_page(const row_page& page, std::int64_t entry) const {
    for (std::int64_t b = 0; problem_.paged.shares && b < page.b; ++b) {
      const std::int64_t n = named_[static_cast<std::size_t>(b * entries_ + entry)];
      if (n == no_page) continue;
      const row_page& other = pages_[static_cast<std::size_t>(n)];
      if (other.valid == page.valid && holds_same(problem_.k, page, other) &&
          holds_same(problem_.v, page, other))
        return n;
    }
    return std::nullopt;
  }

  const problem& problem_;
  std::int64_t entries_;
  std::vector<row_page> pages_;
  std::vector<std::int64_t> named_;  // [B, entries]
};

// 0 to n - 1 in an order by chance.
std::vector<std::int64_t> shuffled(std::int64_t n, std::uint64_t order) {
  std::vector<std::int64_t> places(static_cast<std::size_t>(n));
  std::iota(places.begin(), places.end(), 0);
  for (std::size_t last = places.size(); last > 1; --last)
    std::swap(places[last - 1], places[random_below(order, shuffles, last, last)]);
  return places;
}

// The layout of k or v for its pool; a batch stride of 0 says nothing of pages.
placement pool_placement(const tensor& t, const index4& sizes) {
  for (const layout how : {layout::bhld, layout::blhd, layout::fused, layout::reversed,
                           layout::spread, layout::mirrored, layout::far}) {
    const placement like = place(how, t.sizes());
    if (like.strides == t.where().strides && like.offset == t.where().offset)
      return place(how, sizes);
  }
  return place(layout::bhld, sizes);
}

// What an earlier request could have left in a slot: a key of the problem.
void fill_with_numbers(tensor& pool, const tensor& t) {
  const std::int64_t keys = t.sizes()[0] * t.sizes()[2];
  if (keys == 0) return;
  for_each_index(pool.sizes(), [&](const index4& i) {
    const std::int64_t key = (i[0] * pool.sizes()[2] + i[2]) % keys;
    pool.set_bits(i, t.bits({key / t.sizes()[2], i[1], key % t.sizes()[2], i[3]}));
  });
}

tensor make_pool(const problem& p, const tensor& t, const page_list& list,
                 const std::vector<std::int64_t>& places) {
  const paging& by = p.paged;
  const index4 sizes{static_cast<std::int64_t>(places.size()), t.sizes()[1], by.page, t.sizes()[3]};
  tensor pool(t.element(), pool_placement(t, sizes), nan_bits);
  if (by.stale) fill_with_numbers(pool, t);
  for (std::size_t n = 0; n < list.pages().size(); ++n) {
    const row_page& page = list.pages()[n];
    const std::int64_t held = by.stale ? std::min(by.page, p.dims.keys - page.first) : page.valid;
    for_each_index({1, sizes[1], held, sizes[3]}, [&](const index4& i) {
      pool.set_bits({places[n], i[1], i[2], i[3]}, t.bits({page.b, i[1], page.first + i[2], i[3]}));
    });
  }
  return pool;
}

tensor read_pool(const tensor& pool, const page_pool& from, const index4& sizes) {
  tensor t(pool.element(), place(layout::bhld, sizes), nan_bits);
  const std::int64_t page = pool.sizes()[2];
  for (std::int64_t b = 0; b < sizes[0]; ++b)
    for_each_index(
        {1, sizes[1], from.lengths[static_cast<std::size_t>(b)], sizes[3]}, [&](const index4& i) {
          const std::int64_t entry = b * from.entries + i[2] / page;
          t.set_bits({b, i[1], i[2], i[3]}, pool.bits({from.table[static_cast<std::size_t>(entry)],
                                                       i[1], i[2] % page, i[3]}));
        });
  return t;
}

void flip_a_bit(tensor& t) {
  if (t.storage_bytes() > 0) t.data()[0] ^= std::byte{1};
}

}  // namespace

page_pool lay_in_pages(const problem& p) {
  const page_list list(p);
  const auto used = static_cast<std::int64_t>(list.pages().size());
  const std::int64_t all = std::max<std::int64_t>(used + p.paged.spare_pages, 1);
  const std::vector<std::int64_t> places = shuffled(all, p.paged.order);
  page_pool pool{make_pool(p, p.k, list, places),
                 make_pool(p, p.v, list, places),
                 list.named(),
                 {},
                 list.entries()};
  for (std::int64_t& entry : pool.table)
    if (entry != no_page) entry = places[static_cast<std::size_t>(entry)];
  for (std::int64_t b = 0; b < p.dims.batch; ++b) pool.lengths.push_back(p.valid_keys(b));
  return pool;
}

problem read_from_pages(const problem& p, const page_pool& pool) {
  problem dense = p;
  dense.k = read_pool(pool.k, pool, p.dims.k_sizes());
  dense.v = read_pool(pool.v, pool, p.dims.v_sizes());
  dense.paged = {};
  return dense;
}

void return_writes(const page_pool& written, problem& p) {
  const page_pool before = lay_in_pages(p);
  if (written.table != before.table) ++p.paged.order;
  if (written.lengths != before.lengths) p.lengths = written.lengths;
  if (!written.k.same_bytes(before.k)) flip_a_bit(p.k);
  if (!written.v.same_bytes(before.v)) flip_a_bit(p.v);
}

}  // namespace attest
