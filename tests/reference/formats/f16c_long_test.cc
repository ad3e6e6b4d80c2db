#include <gtest/gtest.h>

#include "tests/reference/formats/f16c_agreement.h"

namespace attest {
namespace {

TEST(f16_conversion_long, to_nearest_agrees_with_the_processor_on_every_float) {
  expect_agreement_with_f16c(rounding_mode::nearest_even, 0, 1);
}

TEST(f16_conversion_long, directed_agrees_with_the_processor_on_every_thirteenth_float) {
  expect_agreement_with_f16c(rounding_mode::up, 0, 13);
  expect_agreement_with_f16c(rounding_mode::down, 0, 13);
  expect_agreement_with_f16c(rounding_mode::to_zero, 0, 13);
}

}  // namespace
}  // namespace attest
