// Rows that once had wrong enclosures, or might: each against multiprecision.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "reference/certified/certified.h"
#include "reference/certified/settle.h"
#include "reference/exact/exact_row.h"
#include "reference/problems/problem_spec.h"
#include "tests/reference/certified/agreement.h"

namespace attest {
namespace {

problem zeros(const format& inputs, std::int64_t keys, std::int64_t width) {
  problem_spec spec;
  spec.inputs = &inputs;
  spec.dims = {1, 1, 1, 1, keys, width, 1};
  problem p = materialise(spec);
  for (tensor* x : {&p.q, &p.k, &p.v})
    for_each_index(x->sizes(), [&](const index4& i) { x->set(i, 0); });
  p.scale = 1;
  return p;
}

void put(tensor& x, std::int64_t l, const std::vector<double>& row) {
  for (std::size_t t = 0; t < row.size(); ++t)
    x.set({0, 0, l, static_cast<std::int64_t>(t)}, row[t]);
}

void remove_all_but(problem& p, const std::vector<std::int64_t>& keys) {
  p.mask.emplace(broadcast(p.dims.score_sizes(), 0x8));
  for (const std::int64_t j : keys) p.mask->set({0, 0, 0, j}, true);
}

struct hard_row {
  const char* name;
  std::function<problem()> make;
};

// A light key whose score is what cancellation leaves of large products.
problem cancelling_products(double size) {
  problem p = zeros(f32, 128, 3);
  put(p.q, 0, {size, 1, size});
  put(p.k, 64, {size, 100, -size});
  put(p.v, 64, {2});
  p.sink = {80};
  return p;
}

// A bias that takes back all of a score but what no double holds.
problem cancelling_bias(int exponent, double rest, double heavy_value) {
  problem p = zeros(f64, 2, 2);
  const double large = std::ldexp(1 + 0x1p-30, exponent);
  put(p.q, 0, {1, 1});
  put(p.k, 1, {large, rest});
  put(p.v, 0, {heavy_value});
  put(p.v, 1, {1});
  p.bias.emplace(f64, broadcast(p.dims.score_sizes(), 0x8), 0);
  p.bias->set({0, 0, 0, 1}, -large);
  return p;
}

// Powers that rise from block to block, by less than what is left out at once.
problem rising_powers(std::int64_t blocks, double step) {
  problem p = zeros(f32, 64 * blocks, 1);
  put(p.q, 0, {1});
  for (std::int64_t j = 0; j < p.dims.keys; ++j) put(p.k, j, {step * static_cast<double>(j / 64)});
  for (std::int64_t j = 0; j < 64; ++j) put(p.v, j, {1});
  return p;
}

// A sum to which each slice of each block adds half a unit in the last place, rounded up.
problem many_slices(std::int64_t blocks, std::int64_t slices, int top) {
  problem p = zeros(f64, 64 * (blocks + 1), 1);
  put(p.q, 0, {1});
  put(p.v, 0, {0x1p-100});
  std::vector<std::int64_t> kept{0};
  for (std::int64_t block = 1; block <= blocks; ++block)
    for (std::int64_t s = 0; s < slices; ++s) {
      const double v = std::ldexp(1, top - 48 * static_cast<int>(s));
      kept.push_back(64 * block + s);
      put(p.v, kept.back(), {v});
      put(p.k, kept.back(), {std::log(0.51) + std::log(2) * (-152 - std::log2(v))});
    }
  remove_all_but(p, kept);
  return p;
}

problem out_of_range_under_a_cap(double scale, cap_order order, double bias) {
  problem p = zeros(f32, 3, 1);
  put(p.q, 0, {1e5});
  for (std::int64_t j = 0; j < 3; ++j) {
    put(p.k, j, {static_cast<double>(j - 1) * 1e5});
    put(p.v, j, {static_cast<double>(j + 1)});
  }
  p.scale = scale;
  p.soft_cap = 5;
  p.rules.cap = order;
  if (bias == 0) return p;
  p.bias.emplace(f32, broadcast(p.dims.score_sizes(), 0x8), 0);
  p.bias->set({0, 0, 0, 2}, bias);
  return p;
}

const hard_row hard_rows[] = {
    {"cancelling products beside a sink", [] { return cancelling_products(0x1p32); }},
    {"larger ones", [] { return cancelling_products(0x1p40); }},
    {"a bias of 2^80", [] { return cancelling_bias(80, -36.8, 0); }},
    {"a bias of 2^70", [] { return cancelling_bias(70, -30, 0); }},
    {"a bias of 2^125", [] { return cancelling_bias(125, 100, 3); }},
    {"three rises by 490 octaves", [] { return rising_powers(3, 340); }},
    {"four rises", [] { return rising_powers(4, 340); }},
    {"six rises by 290 octaves", [] { return rising_powers(6, 200); }},
    {"a scale of 1e300 under a cap",
     [] { return out_of_range_under_a_cap(1e300, cap_order::before_bias, 0); }},
    {"an infinite bias under a cap",
     [] { return out_of_range_under_a_cap(1, cap_order::after_bias, INFINITY); }},
    {"a NaN in the bias under a cap",
     [] { return out_of_range_under_a_cap(1, cap_order::after_bias, NAN); }},
    {"an infinite scale under a cap",
     [] { return out_of_range_under_a_cap(INFINITY, cap_order::before_bias, 0); }},
    {"a bias of 1.7e308 under a cap",
     [] {
       problem p = zeros(f64, 2, 1);
       put(p.v, 1, {1});
       p.soft_cap = 5;
       p.rules.cap = cap_order::after_bias;
       p.bias.emplace(f64, broadcast(p.dims.score_sizes(), 0x8), 0);
       p.bias->set({0, 0, 0, 1}, 1.7e308);
       return p;
     }},
    {"a cap of 1e308",
     [] {
       problem p = zeros(f32, 1, 1);
       p.soft_cap = 1e308;
       p.sink = {16000};
       put(p.v, 0, {1e30});
       return p;
     }},
    {"a key far below the sink",
     [] {
       problem p = zeros(f32, 70, 1);
       put(p.q, 0, {-200});
       for (std::int64_t j = 0; j < 64; ++j) put(p.k, j, {100});
       p.sink = {0};
       put(p.v, 3, {7});
       return p;
     }},
    {"many blocks of many slices", [] { return many_slices(300, 6, 140); }},
    {"many blocks of two slices", [] { return many_slices(1000, 2, 44); }},
    {"no keys but a sink",
     [] {
       problem p = zeros(f32, 70, 2);
       remove_all_but(p, {});
       p.sink = {3};
       return p;
     }},
};

TEST(certified, holds_the_exact_value_of_hard_rows) {
  for (const hard_row& hard : hard_rows) {
    const problem p = hard.make();
    const exact_row exact = compute_exact_row(p, {});
    const certified_answer answer = certify(p, {.weights = true, .magnitudes = true});
    EXPECT_TRUE(agree(answer.output[0], exact.output[0]))
        << hard.name << ": " << answer.output[0].high << " +- " << answer.output[0].radius
        << " for " << exact.output[0].high;
    EXPECT_TRUE(agree(answer.lse[0], exact.lse)) << hard.name;
    for (const enclosure& weight : answer.weights)
      EXPECT_TRUE(weight.radius >= 0 || std::isnan(weight.high)) << hard.name;
    settle(p, [&](const element_place& at, const enclosure& x) {
      EXPECT_TRUE(agree(x, at.column < 0 ? exact.lse : exact.output[0])) << hard.name;
      return true;
    });
  }
}

TEST(certified, takes_rows_of_no_width) {
  problem_spec spec;
  spec.dims = {1, 1, 1, 2, 3, 0, 2};
  const problem p = materialise(spec);
  EXPECT_EQ(certify(p).multiprecision_rows, 2);
}

// An outlier in one row, which spans many bits, and its neighbour.
problem with_outlier(double outlier) {
  problem_spec spec;
  spec.dims = {1, 1, 1, 2, 70, 8, 3};
  problem p = materialise(spec);
  if (outlier != 0) p.q.set({0, 0, 1, 0}, outlier);
  return p;
}

TEST(certified, gives_a_row_the_same_bits_beside_an_outlier) {
  const certified_answer plain = certify(with_outlier(0));
  for (const double outlier : {0x1p60, 0x1p100, -0x1p-100}) {
    const certified_answer beside = certify(with_outlier(outlier));
    for (std::size_t d = 0; d < 3; ++d) {
      EXPECT_EQ(beside.output[d].high, plain.output[d].high);
      EXPECT_EQ(beside.output[d].low, plain.output[d].low);
      EXPECT_EQ(beside.output[d].radius, plain.output[d].radius);
    }
  }
}

}  // namespace
}  // namespace attest
