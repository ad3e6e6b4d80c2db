#include <gtest/gtest.h>

#include "tests/reference/formats/f16c_agreement.h"

namespace attest {
namespace {

// 251 is odd, so that the sample meets every pattern of low bits; 2^32 / 251 is just over 2^24.
TEST(f16_conversion, agrees_with_the_processor_on_a_sample_in_every_mode) {
  expect_agreement_with_f16c(rounding_mode::nearest_even, 0, 251);
  expect_agreement_with_f16c(rounding_mode::up, 1, 2003);
  expect_agreement_with_f16c(rounding_mode::down, 2, 2003);
  expect_agreement_with_f16c(rounding_mode::to_zero, 3, 2003);
}

}  // namespace
}  // namespace attest
