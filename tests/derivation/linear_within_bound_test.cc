// The bound of linear attention against evaluations in every order of chunks, each operation
// rounded.
#include <gtest/gtest.h>

#include <algorithm>

#include "derivation/bounds/linear.h"
#include "reference/contract/presets.h"
#include "reference/linear/chunked.h"
#include "tests/derivation/rounded_number.h"
#include "tests/reference/linear/drawn_linear_problem.h"

namespace attest {
namespace {

constexpr std::uint64_t seeds = 300;

// The largest error over its bound, and how many were compared with a bound that says something.
struct nearness {
  double ratio = 0;
  std::int64_t compared = 0;

  void add(double observed, const enclosure& exact, double bound) {
    if (!(bound < 0x1p1000)) return;
    ++compared;
    const double least = distance_to(exact, observed).least;
    if (least > 0) ratio = std::max(ratio, least / bound);
  }
};

template <class T>
void compare(nearness& near, const linear_answer<T>& seen, const linear_answer<enclosure>& exact,
             const linear_bound& bound) {
  for (std::size_t n = 0; n < seen.output.size(); ++n)
    near.add(seen.output[n].value(), exact.output[n], bound.output[n]);
  for (std::size_t n = 0; n < seen.state.size(); ++n)
    near.add(seen.state[n].value(), exact.state[n], bound.state[n]);
}

linear_problem as_drawn(linear_problem p) { return p; }

template <const format& Format>
nearness nearness_of(const contract& kept, linear_problem (*altered)(linear_problem) = as_drawn) {
  using number = rounded_number<Format>;
  nearness near;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const linear_problem p = altered(draw_linear_problem(seed, Format));
    const auto exact = exact_linear_attention(p);
    const linear_bound bound = bound_of(kept, p, exact);
    compare(near, linear_attention<number>(p), exact, bound);
    for (const std::int64_t size :
         {std::int64_t{1}, std::int64_t{5}, std::int64_t{16}, p.dims.keys})
      compare(near, chunked_linear_attention<number>(p, size), exact, bound);
  }
  return near;
}

TEST(linear_bound, holds_in_float_in_chunks_of_any_size) {
  const nearness near = nearness_of<f32>(find_contract("float32"));
  EXPECT_GT(near.compared, 100'000);
  EXPECT_LE(near.ratio, 1);
  EXPECT_GE(near.ratio, 0.01) << "the bound says too little";
  RecordProperty("nearest_to_the_bound", std::to_string(near.ratio));
}

TEST(linear_bound, holds_where_every_stage_is_in_half) {
  const nearness near = nearness_of<f16>(find_contract("fp16-accumulate"));
  EXPECT_GT(near.compared, 100'000);
  EXPECT_LE(near.ratio, 1);
  EXPECT_GE(near.ratio, 0.005) << "the bound says too little";
  RecordProperty("nearest_to_the_bound", std::to_string(near.ratio));
}

// One position, and features whose exponents are sums of large terms: their roundings are what
// there is.
linear_problem of_large_exponents(linear_problem p) {
  const auto times_4 = [](tensor t) {
    for_each_index(t.sizes(), [&](const index4& i) { t.set(i, 4 * t.at(i)); });
    return t;
  };
  linear_problem large;
  large.dims = {.width = p.dims.width};
  large.map = feature_map::exp_features;
  large.draws = tensor(f32, place(layout::bhld, {1, 1, 1, p.dims.width}), 0);
  large.q = large.k = *large.draws;
  large.v = tensor(f32, place(layout::bhld, {1, 1, 1, 1}), 0);
  large.v.set({}, 1);
  for (std::int64_t t = 0; t < p.dims.width; ++t) {
    large.draws->set({0, 0, 0, t}, p.q.at(0, 0, 0, t));
    large.q.set({0, 0, 0, t}, p.k.at(0, 0, 0, t));
    large.k.set({0, 0, 0, t}, -p.k.at(0, 0, 0, t));
  }
  large.draws = times_4(times_4(*large.draws));
  large.q = times_4(large.q);
  large.k = times_4(large.k);
  return large;
}

TEST(linear_bound, holds_where_exponents_of_features_are_large) {
  const nearness near = nearness_of<f32>(find_contract("float32"), of_large_exponents);
  EXPECT_EQ(near.compared, 5 * 2 * seeds);
  EXPECT_LE(near.ratio, 1);
  EXPECT_GE(near.ratio, 0.05) << "the bound says too little";
  RecordProperty("nearest_to_the_bound", std::to_string(near.ratio));
}

// What is wrong by a term shows: the last key left out of each output.
TEST(linear_bound, tells_a_missing_key) {
  const contract& kept = find_contract("float32");
  std::int64_t told = 0, rows = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const linear_problem p = draw_linear_problem(seed, f32);
    const auto exact = exact_linear_attention(p);
    const linear_bound bound = bound_of(kept, p, exact);
    linear_problem other = p;
    const std::int64_t last = p.dims.keys - 1;
    for_each_index(p.v.sizes(), [&](const index4& i) {
      if (i[2] == last) other.v.set(i, 0);
    });
    const auto wrong = linear_attention<double>(other);
    for_each_index({p.dims.batch, p.dims.query_heads, 1, p.dims.value_width}, [&](const index4& i) {
      const std::int64_t row = (i[0] * p.dims.query_heads + i[1]) * p.dims.queries + last;
      const auto n = static_cast<std::size_t>(row * p.dims.value_width + i[3]);
      ++rows;
      told += std::fabs(wrong.output[n] - exact.output[n].high) > bound.output[n] ? 1 : 0;
    });
  }
  EXPECT_GT(told, rows * 8 / 10);
}

}  // namespace
}  // namespace attest
