// What the work grows with, by counting: the products of the definition, and the blocks of keys
// that the fast engine scores.
#include <gtest/gtest.h>

#include <atomic>

#include "reference/backends/answer.h"
#include "reference/certified/tile.h"
#include "reference/definition/attention.h"
#include "reference/linear/chunked.h"
#include "reference/problems/problem_spec.h"
#include "tests/reference/linear/drawn_linear_problem.h"

namespace attest {
namespace {

std::int64_t products = 0;

// A double that counts its products.
struct counted {
  counted() = default;
  explicit counted(double x) : value(x) {}
  double value = 0;
};
counted operator+(counted x, counted y) { return counted(x.value + y.value); }
counted operator-(counted x, counted y) { return counted(x.value - y.value); }
counted operator*(counted x, counted y) { return ++products, counted(x.value * y.value); }
counted operator/(counted x, counted y) { return counted(x.value / y.value); }
bool operator<(counted x, counted y) { return x.value < y.value; }
counted exp(counted x) { return counted(exp_of(x.value)); }
counted log(counted x) { return counted(log_of(x.value)); }
counted tanh(counted x) { return counted(tanh_of(x.value)); }
counted sqrt(counted x) { return counted(sqrt_of(x.value)); }

template <class Work>
std::int64_t products_of(Work work) {
  products = 0;
  work();
  return products;
}

problem_spec square(std::int64_t n) {
  problem_spec spec;
  spec.dims.queries = spec.dims.keys = n;
  spec.dims.width = spec.dims.value_width = 4;
  spec.seed = 11;
  return spec;
}

std::int64_t products_of_definition(const problem_spec& spec) {
  const problem p = materialise(spec);
  return products_of(
      [&] { for_each_row(p.dims, [&](const row_index& row) { attention<counted>(p, row); }); });
}

// A key costs D products for its score, one for the scale and Dv for its value.
constexpr std::int64_t of_a_key = 4 + 1 + 4;

TEST(cost_of_the_definition, is_that_of_the_kept_keys) {
  problem_spec spec = square(200);
  EXPECT_EQ(products_of_definition(spec), 200 * 200 * of_a_key);
  spec.sliding = {7, 0};
  EXPECT_EQ(products_of_definition(spec), (200 * 8 - 28) * of_a_key) << "n w, less at the start";
  spec.sliding = {};
  spec.pattern.chunk = 25;
  EXPECT_EQ(products_of_definition(spec), 8 * 25 * 25 * of_a_key);
}

// Sizes that only differ in their length.
linear_problem linear_of(std::int64_t length) {
  linear_problem p;
  p.dims.queries = p.dims.keys = length;
  p.dims.width = p.dims.value_width = 4;
  p.q = p.k = p.v = tensor(f64, place(layout::bhld, p.dims.q_sizes()), 0);
  return p;
}

std::int64_t products_of_chunks(std::int64_t length, std::int64_t chunk) {
  const linear_problem p = linear_of(length);
  return products_of([&] { chunked_linear_attention<counted>(p, chunk); });
}

TEST(cost_of_linear_attention, grows_with_the_length) {
  const auto recurrent = [](std::int64_t length) {
    const linear_problem p = linear_of(length);
    return products_of([&] { linear_attention<counted>(p); });
  };
  EXPECT_GT(recurrent(100), 100 * 2 * 4 * 4);
  EXPECT_EQ(recurrent(400) - recurrent(300), recurrent(200) - recurrent(100));
  EXPECT_EQ(products_of_chunks(400, 10) - products_of_chunks(300, 10),
            products_of_chunks(200, 10) - products_of_chunks(100, 10));
  EXPECT_GT(products_of_chunks(400, 400), 3 * products_of_chunks(200, 200)) << "one chunk is n^2";
}

// ---- The fast engine ----

std::atomic<std::int64_t> scored_blocks = 0;

void count_block(const score_operands& operands, score_tile& tile) {
  if (!operands.further) ++scored_blocks;
  score_block(operands, tile);
}

std::int64_t blocks_of(const problem_spec& spec) {
  scored_blocks = 0;
  stages counting;
  counting.scores = count_block;
  certify(materialise(spec), {}, counting);
  return scored_blocks;
}

constexpr auto keys_of_block = static_cast<std::int64_t>(block_keys);
constexpr auto rows_of_tile = static_cast<std::int64_t>(tile_rows);

std::int64_t tiles(std::int64_t n) { return (n + rows_of_tile - 1) / rows_of_tile; }

TEST(cost_of_the_fast_engine, of_a_window_grows_with_the_length) {
  const std::int64_t n = 20 * keys_of_block;
  EXPECT_EQ(blocks_of(square(n)), tiles(n) * 20);
  problem_spec near = square(n);
  near.sliding = {32, 0};
  EXPECT_LE(blocks_of(near), tiles(n) * 2) << "32 keys and a tile's rows lie in two blocks";
  near.dims.queries = near.dims.keys = 1 << 16;
  EXPECT_LE(blocks_of(near), tiles(1 << 16) * 2) << "of 4e9 scores";
}

TEST(cost_of_the_fast_engine, of_chunks_is_that_of_the_chunks) {
  problem_spec spec = square(16 * keys_of_block);
  spec.pattern.chunk = keys_of_block;
  const std::int64_t n = spec.dims.queries;
  EXPECT_LE(blocks_of(spec), tiles(n) + n / keys_of_block) << "a tile lies in one chunk or in two";
}

TEST(cost_of_the_fast_engine, of_a_block_mask_is_that_of_its_kept_blocks) {
  problem_spec spec = square(16 * keys_of_block);
  spec.dims.queries = 16 * rows_of_tile;
  spec.pattern.block_queries = rows_of_tile;
  spec.pattern.block_keys = keys_of_block;
  spec.block_axes = 0b1111;
  const problem p = materialise(spec);
  std::int64_t kept = 0;
  for_each_index(p.block_mask->where().sizes,
                 [&](const index4& i) { kept += p.block_mask->at(i); });
  ASSERT_LT(kept, 16 * 16);
  EXPECT_EQ(blocks_of(spec), kept);
}

}  // namespace
}  // namespace attest
