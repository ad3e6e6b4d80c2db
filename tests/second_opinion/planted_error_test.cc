// The second opinion finds an error of one part in 2^90 in any stage of the fast engine.
#include <gtest/gtest.h>

#include "reference/certified/tile.h"
#include "reference/problems/problem_spec.h"
#include "tests/second_opinion/disagreement.h"

namespace attest::second_opinion {
namespace {

constexpr double planted = 0x1p-90;

void scores_off(const score_operands& x, score_tile& tile) {
  score_block(x, tile);
  for (std::size_t r = 0; r < x.rows; ++r)
    for (std::size_t j = 0; j < block_keys; ++j) tile.low[r][j] += planted * tile.high[r][j];
}

void weights_off(const logit_rule& rule, const logit_terms& terms, const double* high,
                 const double* low, row_weights& row) {
  weigh_block(rule, terms, high, low, row);
  for (std::size_t j = 0; j < block_keys; ++j) row.low[j] += planted * row.high[j];
}

void mass_off(const logit_rule& rule, const logit_terms& terms, const double* high,
              const double* low, row_weights& row) {
  weigh_block(rule, terms, high, low, row);
  row.mass[3] += planted * row.mass[0];
}

void values_off(const value_operands& x, std::span<value_row> rows) {
  sum_block(x, rows);
  for (const value_row& row : rows)
    for (std::size_t d = 0; d < x.columns; ++d)
      row.sums.part[1][d] += planted * row.sums.part[0][d];
}

struct planted_error {
  const char* name;
  stages run;

  friend std::ostream& operator<<(std::ostream& out, const planted_error& x) {
    return out << x.name;
  }
};

class planted_error_test : public testing::TestWithParam<planted_error> {};

problem_spec ordinary(std::uint64_t seed, const format& inputs) {
  problem_spec spec;
  spec.inputs = &inputs;
  spec.dims = {1, 2, 1, 3, 100, 24, 5};
  spec.seed = seed;
  return spec;
}

TEST_P(planted_error_test, is_found) {
  for (const format* inputs : {&f32, &f16, &f64}) {
    problem_spec spec = ordinary(1, *inputs);
    const auto differs = [&](const stages& run) {
      const problem p = materialise(spec);
      return disagreement(p, certify(p, {}, run)).has_value();
    };
    EXPECT_FALSE(differs({})) << inputs->name;
    EXPECT_TRUE(differs(GetParam().run)) << inputs->name;
    spec.bias_axes = 0xc;  // keys and queries
    spec.soft_cap = 5;
    EXPECT_FALSE(differs({})) << inputs->name << " with bias and soft cap";
    EXPECT_TRUE(differs(GetParam().run)) << inputs->name << " with bias and soft cap";
  }
}

INSTANTIATE_TEST_SUITE_P(stages, planted_error_test,
                         testing::Values(planted_error{"scores", {.scores = scores_off}},
                                         planted_error{"weights", {.weights = weights_off}},
                                         planted_error{"mass", {.weights = mass_off}},
                                         planted_error{"values", {.values = values_off}}),
                         [](const auto& stage) { return std::string(stage.param.name); });

}  // namespace
}  // namespace attest::second_opinion
