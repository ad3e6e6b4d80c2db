#include "reference/certified/certified.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "reference/backends/answer.h"
#include "reference/exact/exact_row.h"
#include "reference/problems/problem_spec.h"
#include "tests/reference/backends/random_spec.h"
#include "tests/reference/certified/agreement.h"
#include "tests/reference/certified/instruction_sets.h"

namespace attest {
namespace {

const certified_options everything{.threads = 1, .weights = true, .magnitudes = true};

bool same_bits(const enclosure& x, const enclosure& y) {
  const auto same = [](double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  };
  return same(x.high, y.high) && same(x.low, y.low) && same(x.radius, y.radius);
}

bool same_bits(const std::vector<enclosure>& x, const std::vector<enclosure>& y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [](const enclosure& a, const enclosure& b) { return same_bits(a, b); });
}

bool same_bits(const certified_answer& x, const certified_answer& y) {
  return same_bits(x.output, y.output) && same_bits(x.lse, y.lse) &&
         same_bits(x.weights, y.weights) && x.magnitudes == y.magnitudes;
}

// Problems with several blocks of keys and tiles of queries.
problem_spec large_spec(std::uint64_t seed, const format& inputs) {
  problem_spec spec = random_spec(seed, inputs);
  spec.dims.queries = 40 + static_cast<std::int64_t>(seed % 7);
  spec.dims.keys = 150 + static_cast<std::int64_t>(seed % 70);
  spec.sliding = {};
  return spec;
}

const format& format_of(std::uint64_t seed) {
  static const format* const formats[] = {&f32, &f16, &bf16, &f64};
  return *formats[seed % 4];
}

TEST(certified, holds_what_100_digits_give) {
  for (std::uint64_t seed = 0; seed < 36; ++seed) {
    const problem_spec spec =
        seed % 3 == 0 ? large_spec(seed, format_of(seed / 3)) : any_spec(seed, format_of(seed));
    const problem p = materialise(spec);
    const certified_answer answer = certify(p, {});
    std::size_t n = 0;
    for_each_row(p.dims, [&](const row_index& row) {
      if (row.i % 5 == 0) {
        const exact_row exact = compute_exact_row(p, row);
        EXPECT_TRUE(agree(answer.lse[n], exact.lse)) << to_line(spec);
        for (std::size_t d = 0; d < exact.output.size(); ++d)
          EXPECT_TRUE(agree(answer.output[n * exact.output.size() + d], exact.output[d]))
              << to_line(spec);
      }
      ++n;
    });
  }
}

TEST(certified, has_the_same_bits_for_every_instruction_set) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const problem p = materialise(large_spec(seed, format_of(seed)));
    const certified_answer best = certify(p, everything);
    for_each_instruction_set([&](const char* name) {
      EXPECT_TRUE(same_bits(best, certify(p, everything))) << name << " seed " << seed;
    });
  }
}

std::uint64_t mixed_bits(const certified_answer& answer) {
  std::uint64_t mixed = 0;
  for (const std::vector<enclosure>* list : {&answer.output, &answer.lse, &answer.weights})
    for (const enclosure& x : *list)
      for (const double part : {x.high, x.low, x.radius})
        mixed = (mixed ^ std::bit_cast<std::uint64_t>(part)) * 0x9e3779b97f4a7c15;
  return mixed;
}

// The same on every compiler and machine. A change here changes radii: say so in CHANGELOG.md.
TEST(certified, has_the_bits_it_had) {
  std::uint64_t mixed = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed)
    mixed += mixed_bits(certify(materialise(large_spec(seed, format_of(seed))), everything));
  EXPECT_EQ(mixed, 0x95bd799a21e83f14) << std::hex << "0x" << mixed;
}

TEST(certified, has_the_same_bits_for_any_number_of_threads) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const problem p = materialise(large_spec(seed, f32));
    const certified_answer one = certify(p, everything);
    for (const int threads : {2, 0}) {
      certified_options options = everything;
      options.threads = threads;
      EXPECT_TRUE(same_bits(one, certify(p, options))) << threads;
    }
  }
}

TEST(certified, gives_a_row_the_same_bits_in_any_tile) {
  problem_spec spec;
  spec.dims = {1, 1, 1, 45, 130, 24, 5};
  const certified_answer all = certify(materialise(spec), {});
  spec.dims.queries = 7;  // a corner of the same problem: the same values
  const certified_answer few = certify(materialise(spec), {});
  for (std::size_t n = 0; n < few.output.size(); ++n)
    EXPECT_TRUE(same_bits(few.output[n], all.output[n])) << n;
}

// A causal problem, and the same with poison in every key that no query sees.
problem causal_problem(double poison) {
  problem_spec spec;
  spec.dims = {1, 1, 1, 5, 90, 16, 3};
  spec.causal = causal_anchor::top_left;
  problem p = materialise(spec);
  if (poison == 0) return p;
  for (std::int64_t j = 5; j < 90; ++j) {
    for (std::int64_t t = 0; t < 16; ++t) p.k.set({0, 0, j, t}, poison);
    for (std::int64_t d = 0; d < 3; ++d) p.v.set({0, 0, j, d}, poison);
  }
  return p;
}

TEST(certified, is_as_tight_where_poison_lies_in_unseen_keys) {
  const certified_answer clean = certify(causal_problem(0), {});
  for (const double poison : {0x1.fffffep127, double{NAN}, -double{INFINITY}, 1e4}) {
    const certified_answer poisoned = certify(causal_problem(poison), {});
    EXPECT_EQ(poisoned.multiprecision_rows, 0);
    for (std::size_t n = 0; n < clean.output.size(); ++n) {
      EXPECT_TRUE(agree(clean.output[n], poisoned.output[n])) << poison;
      EXPECT_LE(poisoned.output[n].radius, 2 * clean.output[n].radius) << poison;
    }
  }
}

TEST(certified, gives_keys_outside_the_set_exactly_zero_weight) {
  const certified_answer answer = certify(causal_problem(1e4), everything);
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = i + 1; j < 90; ++j) {
      EXPECT_EQ(answer.weights[i * 90 + j].high, 0);
      EXPECT_EQ(answer.weights[i * 90 + j].radius, 0);
    }
}

// Radii of ordinary problems: below 2^-95 of sum a |v|.
TEST(certified, has_95_certain_bits_in_ordinary_problems) {
  for (const format* inputs : {&f32, &f16, &bf16}) {
    problem_spec spec;
    spec.inputs = inputs;
    spec.dims = {1, 1, 1, 33, 500, 64, 20};
    const certified_answer answer = certify(materialise(spec), everything);
    for (std::size_t n = 0; n < answer.output.size(); ++n)
      EXPECT_LT(answer.output[n].radius, 0x1p-95 * answer.magnitudes[n]);
  }
}

TEST(certified, tells_how_many_rows_are_done) {
  problem_spec spec;
  spec.dims = {2, 2, 1, 40, 10, 4, 4};
  std::vector<std::int64_t> seen;
  certify(materialise(spec), {.threads = 2, .progress = [&](std::int64_t done, std::int64_t all) {
                                EXPECT_EQ(all, 160);
                                seen.push_back(done);
                              }});
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(seen.back(), 160);
}

}  // namespace
}  // namespace attest
