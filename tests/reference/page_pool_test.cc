// Where the pages of a problem lie: every valid key once, poison elsewhere, and the same every
// time.
#include "reference/problems/page_pool.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "reference/input_error.h"
#include "reference/problems/problem_spec.h"

namespace attest {
namespace {

problem problem_of(const std::string& line) { return materialise(parse_problem_line(line)); }

// Sizes of pages that divide Lk and lengths or not, of every layout and many seeds.
std::vector<problem> many_problems() {
  std::vector<problem> all;
  for (const char* page : {"1", "2", "3", "7", "16", "64"})
    for (const char* layout : {"bhld", "blhd", "fused", "reversed", "spread", "mirrored", "shared"})
      for (const char* seed : {"1", "2", "3", "4", "5", "6"})
        all.push_back(problem_of(std::string("B=3 Hq=4 Hkv=2 Lq=3 Lk=14 D=5 Dv=2 lengths=1 page=") +
                                 page + " layout=" + layout + " seed=" + seed));
  all.push_back(problem_of("B=2 Lk=8 page=4 seed=1"));
  all.push_back(problem_of("B=2 Lk=0 page=4 seed=1"));
  all.push_back(problem_of("B=0 Lk=3 page=4 seed=1"));
  return all;
}

bool is_nan_at(const tensor& pool, std::int64_t page, std::int64_t slot) {
  bool all = true;
  for_each_index({1, pool.sizes()[1], 1, pool.sizes()[3]}, [&](const index4& i) {
    all = all && std::isnan(pool.at(page, i[1], slot, i[3]));
  });
  return all;
}

// (page, slot) of every valid key.
std::set<std::pair<std::int64_t, std::int64_t>> read_slots(const problem& p,
                                                           const page_pool& pool) {
  std::set<std::pair<std::int64_t, std::int64_t>> slots;
  for (std::int64_t b = 0; b < p.dims.batch; ++b)
    for (std::int64_t j = 0; j < p.valid_keys(b); ++j)
      slots.insert({pool.table[static_cast<std::size_t>(b * pool.entries + j / p.paged.page)],
                    j % p.paged.page});
  return slots;
}

TEST(page_pool, holds_every_valid_key_where_the_table_says) {
  for (const problem& p : many_problems()) {
    const problem dense = read_from_pages(p, lay_in_pages(p));
    for (const auto& [from, to] : {std::pair{&p.k, &dense.k}, std::pair{&p.v, &dense.v}})
      for_each_index(from->sizes(), [&, from = from, to = to](const index4& i) {
        if (i[2] < p.valid_keys(i[0]))
          EXPECT_EQ(from->bits(i), to->bits(i));
        else
          EXPECT_TRUE(std::isnan(to->at(i)));
      });
    EXPECT_EQ(dense.paged.page, 0);
  }
}

TEST(page_pool, names_no_page_exactly_where_no_key_is_valid) {
  for (const problem& p : many_problems()) {
    const page_pool pool = lay_in_pages(p);
    EXPECT_GE(pool.k.sizes()[0], 1);
    EXPECT_GE(pool.entries, 1);
    ASSERT_EQ(pool.table.size(), static_cast<std::size_t>(p.dims.batch * pool.entries));
    for (std::int64_t b = 0; b < p.dims.batch; ++b)
      for (std::int64_t n = 0; n < pool.entries; ++n) {
        const std::int64_t entry = pool.table[static_cast<std::size_t>(b * pool.entries + n)];
        EXPECT_EQ(entry == no_page, n * p.paged.page >= p.valid_keys(b));
        EXPECT_LT(entry, pool.k.sizes()[0]);
      }
  }
}

TEST(page_pool, what_is_not_read_is_nan_or_stale) {
  std::size_t stale = 0, nan = 0;
  for (const problem& p : many_problems()) {
    const page_pool pool = lay_in_pages(p);
    const auto read = read_slots(p, pool);
    for (std::int64_t page = 0; page < pool.k.sizes()[0]; ++page)
      for (std::int64_t slot = 0; slot < p.paged.page && p.dims.keys * p.dims.batch > 0; ++slot) {
        if (read.contains({page, slot})) continue;
        EXPECT_EQ(is_nan_at(pool.k, page, slot), !p.paged.stale);
        EXPECT_EQ(is_nan_at(pool.v, page, slot), !p.paged.stale);
        ++(p.paged.stale ? stale : nan);
      }
  }
  EXPECT_GT(stale, 100u);
  EXPECT_GT(nan, 100u);
}

TEST(page_pool, has_the_layout_of_k_and_v) {
  for (const auto how : {layout::bhld, layout::blhd, layout::fused, layout::reversed,
                         layout::spread, layout::mirrored}) {
    problem_spec spec = parse_problem_line("B=2 Hq=3 Hkv=3 Lq=2 Lk=9 D=4 Dv=2 page=2 seed=1");
    spec.placed = how;
    const page_pool pool = lay_in_pages(materialise(spec));
    for (const tensor* t : {&pool.k, &pool.v}) {
      EXPECT_EQ(t->where().strides, place(how, t->sizes()).strides);
      EXPECT_EQ(t->where().offset, place(how, t->sizes()).offset);
    }
  }
}

TEST(page_pool, is_the_same_every_time_and_another_with_another_order) {
  problem p = problem_of("B=3 Lk=31 lengths=1 page=2 seed=4");
  const page_pool once = lay_in_pages(p), again = lay_in_pages(p);
  EXPECT_EQ(once.table, again.table);
  EXPECT_TRUE(once.k.same_bytes(again.k));
  ++p.paged.order;
  EXPECT_NE(lay_in_pages(p).table, once.table);
}

TEST(page_pool, rows_with_the_same_keys_share_pages_where_they_are_to) {
  problem p = problem_of("B=2 Hq=2 Hkv=2 Lk=6 D=2 Dv=2 layout=shared page=2 seed=1");
  p.lengths = {6, 5};
  const auto pages = [&](bool shares) {
    p.paged.shares = shares;
    const page_pool pool = lay_in_pages(p);
    return std::set<std::int64_t>(pool.table.begin(), pool.table.end());
  };
  const std::size_t none = p.paged.spare_entries > 0 ? 1 : 0;
  EXPECT_EQ(pages(false).size(), 6u + none);
  EXPECT_EQ(pages(true).size(), 4u + none) << "the last page of row 1 holds one key less";
}

TEST(page_pool, values_that_differ_are_not_shared) {
  problem p = problem_of("B=2 Lk=4 D=2 Dv=2 page=4 seed=1");
  p.paged.shares = true;
  for_each_index(p.k.sizes(), [&](const index4& i) { p.k.set(i, 1); });
  const page_pool pool = lay_in_pages(p);
  EXPECT_NE(pool.table[0], pool.table[static_cast<std::size_t>(pool.entries)]);
}

TEST(page_pool, writes_show_in_the_problem) {
  const problem p = problem_of("B=2 Lk=5 D=2 Dv=3 lengths=1 page=2 seed=3");
  const page_pool pool = lay_in_pages(p);
  const auto after = [&](auto write) {
    page_pool written = pool;
    write(written);
    problem changed = p;
    return_writes(written, changed);
    return changed;
  };
  const problem same = after([](page_pool&) {});
  EXPECT_TRUE(same.k.same_bytes(p.k) && same.v.same_bytes(p.v) && same.paged == p.paged &&
              same.lengths == p.lengths);
  EXPECT_FALSE(after([](page_pool& w) {
                 w.k.data()[w.k.storage_bytes() - 1] ^= std::byte{1};
               }).k.same_bytes(p.k));
  EXPECT_FALSE(after([](page_pool& w) { w.v.set({0, 0, 0, 0}, 7); }).v.same_bytes(p.v));
  EXPECT_FALSE(after([](page_pool& w) { w.table[0] = 1 - w.table[0]; }).paged == p.paged);
  EXPECT_NE(after([](page_pool& w) { w.lengths[1] += 1; }).lengths, p.lengths);
}

TEST(problem_line, says_the_size_of_a_page) {
  const problem_spec spec = parse_problem_line("Lk=5 page=16 seed=2");
  EXPECT_EQ(spec.page, 16);
  EXPECT_EQ(parse_problem_line(to_line(spec)), spec);
  EXPECT_TRUE(materialise(spec).asks().has(feature::pages));
  EXPECT_FALSE(materialise(parse_problem_line("Lk=5 seed=2")).asks().has(feature::pages));
  EXPECT_EQ(to_line(parse_problem_line("Lk=5 seed=2")).find("page"), std::string::npos);
  EXPECT_THROW(parse_problem_line("page=-1"), input_error);
  EXPECT_THROW(parse_problem_line("page=2000000000 D=64"), input_error) << "too large a pool";
}

}  // namespace
}  // namespace attest
