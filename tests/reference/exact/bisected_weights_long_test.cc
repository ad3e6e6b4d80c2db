// sparsemax, entmax_1_5 and alpha_entmax on 10,000 rows, ties included.
#include <gtest/gtest.h>

#include "tests/reference/exact/bisected_weights.h"

namespace attest {
namespace {

constexpr std::uint64_t rows = 10000, parts = 10;

class bisected_rows : public testing::TestWithParam<std::uint64_t> {};

TEST_P(bisected_rows, are_enclosed) {
  for (std::uint64_t n = GetParam(); n < rows; n += parts)
    ASSERT_EQ(disagreement_with_bisection(draw_logits(20261202, n)), "") << n;
}

INSTANTIATE_TEST_SUITE_P(every, bisected_rows, testing::Range(std::uint64_t{0}, parts));

}  // namespace
}  // namespace attest
