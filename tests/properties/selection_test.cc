// Problems made of parts of another one, and key sets as masks.
#include "properties/selection.h"

#include <gtest/gtest.h>

#include <cmath>

#include "properties/explicit_mask.h"
#include "reference/backends/answer.h"
#include "reference/problems/problem_spec.h"

namespace attest {
namespace {

constexpr layout all_layouts[] = {layout::bhld,   layout::blhd,     layout::fused, layout::reversed,
                                  layout::spread, layout::mirrored, layout::shared};

problem small_problem(const std::string& words) {
  return materialise(parse_problem_line("B=3 Hq=4 Hkv=2 Lq=3 Lk=5 D=2 Dv=3 " + words));
}

bool same_elements(const tensor& a, const tensor& b) {
  bool same = a.sizes() == b.sizes();
  for_each_index(a.sizes(), [&](const index4& i) { same = same && a.bits(i) == b.bits(i); });
  return same;
}

TEST(selection, of_everything_is_the_problem_in_any_layout) {
  const problem p = small_problem("mask=bk bias=hq lengths=1 sink=1 layout=shared");
  for (const layout how : all_layouts) {
    const problem same = select(p, everything(p), how);
    EXPECT_TRUE(same_elements(same.q, p.q) && same_elements(same.k, p.k) &&
                same_elements(same.v, p.v));
    EXPECT_EQ(same.q.where().strides, place(how, p.dims.q_sizes()).strides);
    EXPECT_TRUE(same.mask->same_bytes(*p.mask)) << "broadcast along the same axes";
    EXPECT_TRUE(same_elements(*same.bias, *p.bias));
    EXPECT_EQ(same.dims, p.dims);
    EXPECT_EQ(same.lengths, p.lengths);
    EXPECT_EQ(same.sink, p.sink);
    EXPECT_EQ(same.asks(), how == layout::bhld ? p.asks().without(feature::strides)
                                               : p.asks().with(feature::strides));
  }
}

TEST(selection, takes_each_axis_of_each_array_in_the_order_given) {
  const problem p =
      small_problem("mask=bhqk bias=bhqk dropout=bhqk dropout_scale=2 lengths=1 sink=1");
  const selection s{{2, 0}, {3, 3, 1}, {1}, {2, 0}, {4, 0, 4}};
  const problem part = select(p, s, layout::blhd);
  EXPECT_EQ(part.dims, (shape{2, 3, 1, 2, 3, 2, 3}));
  EXPECT_EQ(part.q.at(0, 1, 0, 1), p.q.at(2, 3, 2, 1));
  EXPECT_EQ(part.k.at(1, 0, 2, 0), p.k.at(0, 1, 4, 0));
  EXPECT_EQ(part.v.at(0, 0, 1, 2), p.v.at(2, 1, 0, 2));
  for_each_index(part.dims.score_sizes(), [&](const index4& i) {
    const auto at = [](const auto& list, std::int64_t n) {
      return list[static_cast<std::size_t>(n)];
    };
    const index4 from{at(s.batch, i[0]), at(s.query_heads, i[1]), at(s.queries, i[2]),
                      at(s.keys, i[3])};
    EXPECT_EQ(part.mask->at(i), p.mask->at(from));
    EXPECT_EQ(part.bias->at(i), p.bias->at(from));
    EXPECT_EQ(part.dropout_mask->at(i), p.dropout_mask->at(from));
  });
  EXPECT_EQ(part.lengths, (std::vector<std::int64_t>{p.lengths[2], p.lengths[0]}));
  EXPECT_EQ(part.sink, (std::vector<double>{p.sink[3], p.sink[3], p.sink[1]}));
  EXPECT_EQ(part.dropout_scale, 2);
}

TEST(selection, may_take_no_key) {
  const problem p = small_problem("mask=bhqk");
  selection none = everything(p);
  none.keys.clear();
  EXPECT_EQ(select(p, none, layout::bhld).dims.keys, 0);
}

TEST(laid_out, keeps_the_elements) {
  const problem p = small_problem("");
  for (const layout how :
       {layout::blhd, layout::fused, layout::reversed, layout::spread, layout::mirrored}) {
    const tensor moved = laid_out(p.v, how);
    EXPECT_TRUE(same_elements(moved, p.v));
    EXPECT_EQ(moved.where().strides, place(how, p.v.sizes()).strides);
  }
}

TEST(visible_keys_as_mask, keep_the_key_sets_without_what_they_stand_for) {
  for (const char* words :
       {"causal=top_left", "causal=bottom_right lengths=1 mask=hk", "window=1,2 mask=b",
        "causal=bottom_right window=1,-1 lengths=1", "lengths=1"}) {
    const problem p = small_problem(words);
    problem masked = with_visible_keys_as_mask(p);
    masked.causal = causal_anchor::none;
    masked.sliding = {};
    masked.lengths.clear();
    for_each_row(p.dims,
                 [&](const row_index& row) { EXPECT_EQ(key_set(masked, row), key_set(p, row)); });
  }
}

TEST(explicit_mask, varies_along_the_axes_that_are_given_and_those_of_the_old_mask) {
  const problem p = small_problem("mask=b");
  const problem masked =
      with_mask(p, 0b1000, [](const row_index&, std::int64_t key) { return key > 0; });
  EXPECT_EQ(varying_axes(masked.mask->where()), 0b1001u);
  for_each_row(p.dims, [&](const row_index& row) {
    EXPECT_FALSE(keeps(masked, row, 0));
    EXPECT_EQ(keeps(masked, row, 1), keeps(p, row, 1));
  });
}

}  // namespace
}  // namespace attest
