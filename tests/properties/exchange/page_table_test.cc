// k and v among the arrays of a file as pools of pages, with the table that finds them.
#include <gtest/gtest.h>

#include "properties/exchange/array_problem.h"
#include "properties/exchange/problem_arrays.h"
#include "reference/input_error.h"
#include "reference/problems/problem_spec.h"

namespace attest {
namespace {

found_arrays arrays_of(const problem& p) {
  found_arrays found;
  for (auto& [name, a] : to_arrays(p)) found[name] = {a, name};
  return found;
}

problem drawn(const std::string& more = "") {
  return materialise(
      parse_problem_line("B=3 Hq=4 Hkv=2 Lq=2 Lk=9 D=5 Dv=3 lengths=1 page=4 seed=6" + more));
}

void expect_same_keys(const problem& p, const problem& back) {
  ASSERT_EQ(back.lengths, p.lengths);
  for (const auto& [from, to] : {std::pair{&p.k, &back.k}, std::pair{&p.v, &back.v}})
    for_each_index(to->sizes(), [&, from = from, to = to](const index4& i) {
      EXPECT_EQ(to->at(i), i[2] < p.lengths[static_cast<std::size_t>(i[0])] ? from->at(i) : 0);
    });
}

TEST(page_table, finds_what_the_problem_holds) {
  for (const char* more : {"", " layout=blhd", " layout=shared", " dtype=f16"}) {
    const problem p = drawn(more);
    expect_same_keys(p, to_problem(arrays_of(p)).posed);
  }
}

TEST(page_table, comes_with_as_many_keys_as_the_mask_has_columns) {
  const problem p = drawn(" mask=qk");
  EXPECT_EQ(to_problem(arrays_of(p)).posed.dims.keys, 9);
}

TEST(page_table, alone_has_as_many_keys_as_the_longest_row) {
  problem p = drawn();
  p.lengths = {2, 7, 0};
  EXPECT_EQ(to_problem(arrays_of(p)).posed.dims.keys, 7);
}

TEST(page_table, lengths_are_stored_beside_it_always) {
  problem p = drawn();
  p.lengths.clear();
  EXPECT_EQ(to_arrays(p).at("lengths").values, (std::vector<double>{9, 9, 9}));
  EXPECT_FALSE(to_arrays(p).at("page_table").values.empty());
}

std::string refusal_of(const found_arrays& found) {
  try {
    to_problem(found);
  } catch (const input_error& e) {
    return e.what();
  }
  return "none";
}

struct refused {
  const char* why;
  void (*spoil)(found_arrays&);
  const char* message;
};

double& entry_of(found_arrays& found, std::size_t n) {
  return found.at("page_table").held.values[n];
}

void set_sizes(found_arrays& found, const char* name, std::vector<std::int64_t> sizes) {
  found.at(name).held.sizes = std::move(sizes);
}

const refused spoiled[] = {
    {"an entry is no page", [](found_arrays& f) { entry_of(f, 0) = 1000; },
     "page_table holds 1000 at [0, 0]"},
    {"an entry is below -1", [](found_arrays& f) { entry_of(f, 0) = -2; },
     "page_table holds -2 at [0, 0]"},
    {"an entry lies beyond the range of integers", [](found_arrays& f) { entry_of(f, 0) = 0x1p63; },
     "page_table holds 9.223372036854776e+18 at [0, 0]"},
    {"-1 before the length", [](found_arrays& f) { entry_of(f, 0) = -1; },
     "page_table holds -1 at [0, 0] (allowed: 0 to"},
    {"a length is more than the entries",
     [](found_arrays& f) { f.at("lengths").held.values[1] = 99; },
     "lengths holds 99 (allowed: 0 to"},
    {"a length is below 0", [](found_arrays& f) { f.at("lengths").held.values[1] = -1; },
     "lengths holds -1"},
    {"no lengths", [](found_arrays& f) { f.erase("lengths"); },
     "page_table stands without lengths"},
    {"the table holds no integers",
     [](found_arrays& f) { f.at("page_table").held.kind = element_kind::floating; },
     "page_table holds no integers"},
    {"the table has rank 1",
     [](found_arrays& f) {
       set_sizes(f, "page_table", {std::ssize(f.at("page_table").held.values)});
     },
     "page_table has sizes"},
    {"the table has another batch",
     [](found_arrays& f) {
       set_sizes(f, "page_table", {1, std::ssize(f.at("page_table").held.values)});
     },
     "page_table has sizes"},
    {"a pool has rank 3",
     [](found_arrays& f) {
       const std::vector<std::int64_t> s = f.at("k").held.sizes;
       set_sizes(f, "k", {s[0] * s[1], s[2], s[3]});
     },
     "k has rank 3 (allowed: 4 beside a page table"},
    {"a pool is empty",
     [](found_arrays& f) {
       f.at("v").held.values.clear();
       f.at("v").held.sizes[0] = 0;
     },
     "v has sizes [0"},
    {"the pools differ in size of pages",
     [](found_arrays& f) {
       const std::vector<std::int64_t> s = f.at("v").held.sizes;
       set_sizes(f, "v", {s[0], s[1], 1, s[2] * s[3]});
     },
     "v: size of a page is 1 (allowed: 4)"},
    {"the pools differ in width of heads",
     [](found_arrays& f) {
       const std::vector<std::int64_t> s = f.at("v").held.sizes;
       set_sizes(f, "v", {s[0], 1, s[2], s[1] * s[3]});
     },
     "v: heads is 1"},
};

TEST(page_table, is_refused_in_one_line_where_it_does_not_fit) {
  for (const refused& each : spoiled) {
    found_arrays found = arrays_of(drawn());
    ASSERT_EQ(refusal_of(found), "none");
    each.spoil(found);
    const std::string message = refusal_of(found);
    EXPECT_NE(message.find(each.message), std::string::npos) << each.why << ": " << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << each.why;
  }
}

TEST(page_table, entries_beyond_the_length_may_name_pages) {
  problem p = drawn();
  p.lengths = {1, 1, 1};
  found_arrays found = arrays_of(p);
  for (double& entry : found.at("page_table").held.values) entry = std::max(entry, 0.0);
  expect_same_keys(p, to_problem(found).posed);
}

}  // namespace
}  // namespace attest
