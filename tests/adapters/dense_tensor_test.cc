#include "properties/adapters/dense_tensor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "reference/formats/encoding.h"
#include "reference/formats/rounding.h"

namespace attest_adapter {
namespace {

float float_of(std::uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

TEST(dense_tensor, widens_every_16_bit_number_exactly) {
  for (std::uint32_t n = 0; n < 0x10000; ++n) {
    const auto bits = static_cast<std::uint16_t>(n);
    const double half = attest::decode(attest::f16, bits),
                 brain = attest::decode(attest::bf16, bits);
    EXPECT_TRUE(std::isnan(half) || from_f16(bits) == half) << n;
    EXPECT_TRUE(std::isnan(brain) || from_bf16(bits) == brain) << n;
    EXPECT_EQ(std::isnan(from_f16(bits)), std::isnan(half));
    EXPECT_EQ(std::isnan(from_bf16(bits)), std::isnan(brain));
  }
}

std::uint64_t rounded(const attest::format& to, float x) {
  return attest::encode(to, attest::round_to(to, {}, x));
}

// Floats of every exponent, whose fractions hold ties and their neighbours.
TEST(dense_tensor, rounds_to_nearest_ties_to_even) {
  for (std::uint32_t high = 0; high < 0x10000; ++high)
    for (std::uint32_t low :
         {0u, 1u, 0xFFFu, 0x1000u, 0x1001u, 0x7FFFu, 0x8000u, 0x8001u, 0xFFFFu}) {
      const float x = float_of(high << 16 | low);
      if (std::isnan(x)) {
        EXPECT_TRUE(std::isnan(from_f16(to_f16(x)))) << high << ' ' << low;
        EXPECT_TRUE(std::isnan(from_bf16(to_bf16(x)))) << high << ' ' << low;
      } else {
        ASSERT_EQ(to_f16(x), rounded(attest::f16, x)) << high << ' ' << low;
        ASSERT_EQ(to_bf16(x), rounded(attest::bf16, x)) << high << ' ' << low;
      }
    }
}

TEST(dense_tensor, follows_strides_both_ways) {
  float memory[24];
  for (int n = 0; n < 24; ++n) memory[n] = static_cast<float>(n);
  attest_tensor t{sizeof(attest_tensor), ATTEST_F32, &memory[20], {1, 2, 2, 2}, {0, 2, -4, 1}};
  EXPECT_EQ(dense_floats(t), (std::vector<float>{20, 21, 16, 17, 22, 23, 18, 19}));
  const float values[] = {1, 2, 3, 4, 5, 6, 7, 8};
  write_floats(t, values);
  EXPECT_EQ(dense_floats(t), std::vector<float>(values, values + 8));
  EXPECT_EQ(memory[15], 15);
  write_bits(t, memory);
  EXPECT_EQ(dense_bits(t).size(), 32u);
}

}  // namespace
}  // namespace attest_adapter
