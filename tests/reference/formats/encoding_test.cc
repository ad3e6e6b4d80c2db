#include "reference/formats/encoding.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "reference/formats/rounding.h"
#include "tests/reference/formats/number_text.h"

namespace attest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

struct pattern_row {
  const format* f;
  std::uint64_t bits;
  double value;
  const char* why;
};

const pattern_row patterns[] = {
    {&f64, 0x3ff8000000000000, 1.5, "a double is itself"},
    {&f64, 1, 0x1p-1074, "the smallest double"},
    {&f32, 0x00800000, 0x1p-126, "the smallest normal float"},
    {&tf32, 0x3f802000, 1 + 0x1p-10, "tf32's last fraction bit is bit 13"},
    {&tf32, 0x7f800000, infinity, "tf32 has f32's infinity"},
    {&f16, 0x3c00, 1, "bias 15"},
    {&f16, 0x7bff, 65504, "the largest f16"},
    {&f16, 0x0001, 0x1p-24, "the smallest f16"},
    {&f16, 0xfc00, -infinity, "all-ones exponent, no fraction"},
    {&bf16, 0x4049, 3.140625, "the upper half of float(pi)"},
    {&f8_e4m3fn, 0x7e, 448, "one below the NaN"},
    {&f8_e4m3fn, 0x7f, not_a_number, "the only NaN of its sign"},
    {&f8_e4m3fn, 0x78, 256, "the all-ones exponent is a binade like any other"},
    {&f8_e4m3, 0x77, 240, "one below infinity"},
    {&f8_e4m3, 0x78, infinity, "IEEE-like: the all-ones exponent is special"},
    {&f8_e5m2, 0x7b, 57344, "one below infinity"},
    {&f8_e5m2, 0x7e, not_a_number, "the quiet NaN"},
    {&f8_e5m2, 0x81, -0x1p-16, "the smallest negative"},
};

TEST(encoding, has_the_published_patterns) {
  for (const pattern_row& row : patterns) {
    EXPECT_TRUE(is_same_number(decode(*row.f, row.bits), row.value)) << row.f->name << row.why;
    EXPECT_EQ(encode(*row.f, row.value), row.bits) << row.f->name << ": " << row.why;
  }
}

// Decoded twice, because NaNs of other payloads encode as the canonical one.
void expect_round_trip(const format& f, std::uint64_t bits) {
  const double value = decode(f, bits);
  const std::uint64_t again = encode(f, value);
  if (!std::isnan(value)) {
    ASSERT_EQ(again, bits) << f.name;
  }
  ASSERT_TRUE(is_same_number(decode(f, again), value)) << f.name << " " << bits;
  ASSERT_TRUE(is_same_number(round_to(f, {}, value), value)) << f.name << " " << bits;
}

TEST(encoding, every_pattern_of_16_bits_or_fewer_survives_a_round_trip) {
  for (const format* f : {&f16, &bf16, &f8_e4m3fn, &f8_e4m3, &f8_e5m2})
    for (std::uint64_t bits = 0; bits < std::uint64_t{1} << f->storage_bits; ++bits)
      expect_round_trip(*f, bits);
}

TEST(encoding, sampled_patterns_of_wider_formats_survive_a_round_trip) {
  std::mt19937_64 bits(1);
  for (int i = 0; i < 1000000; ++i) {
    const std::uint64_t pattern = bits();
    expect_round_trip(f64, pattern);
    expect_round_trip(f32, pattern >> 32);
    expect_round_trip(tf32, pattern >> 32 & 0xffffe000);
  }
}

TEST(encoding, of_f32_and_f64_is_the_machines_own) {
  std::mt19937_64 bits(2);
  for (int i = 0; i < 1000000; ++i) {
    const std::uint64_t pattern = bits();
    const auto low = static_cast<std::uint32_t>(pattern);
    ASSERT_TRUE(is_same_number(decode(f64, pattern), std::bit_cast<double>(pattern)));
    ASSERT_TRUE(is_same_number(decode(f32, low), std::bit_cast<float>(low))) << low;
  }
}

TEST(encoding, bf16_is_the_upper_half_of_f32) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits)
    ASSERT_TRUE(is_same_number(decode(bf16, bits), decode(f32, bits << 16))) << bits;
}

TEST(encoding, tf32_ignores_the_low_13_bits) { EXPECT_EQ(decode(tf32, 0x3f803fff), 1 + 0x1p-10); }

TEST(encoding, of_nan_is_canonical_whatever_its_sign_and_payload) {
  const double odd_nan = std::bit_cast<double>(0xfff0dead00000001);
  EXPECT_EQ(encode(f8_e4m3fn, odd_nan), 0x7fu);
  EXPECT_EQ(encode(f16, odd_nan), 0x7e00u);
  EXPECT_EQ(encode(f32, odd_nan), 0x7fc00000u);
}

TEST(encoding, of_an_infinity_that_the_format_lacks_is_nan) {
  EXPECT_EQ(encode(f8_e4m3fn, infinity), 0x7fu);
  EXPECT_EQ(encode(f8_e4m3fn, -infinity), 0x7fu);
}

TEST(encoding, ignores_bits_above_the_storage) { EXPECT_EQ(decode(f16, 0xabcd3c00), 1); }

}  // namespace
}  // namespace attest
