#include "reference/formats/format.h"

#include <gtest/gtest.h>

#include <limits>

namespace attest {
namespace {

struct limits_row {
  const format* f;
  double largest;
  double normal;
  double subnormal;
  const char* why;
};

const limits_row published_limits[] = {
    {&f64, std::numeric_limits<double>::max(), std::numeric_limits<double>::min(),
     std::numeric_limits<double>::denorm_min(), "the machine's own double"},
    {&f32, std::numeric_limits<float>::max(), std::numeric_limits<float>::min(),
     std::numeric_limits<float>::denorm_min(), "the machine's own float"},
    {&tf32, 0x1.ffcp127, 0x1p-126, 0x1p-136, "the range of f32 with ten fraction bits"},
    {&f16, 65504, 0x1p-14, 0x1p-24, "IEEE 754 binary16"},
    {&bf16, 0x1.fep127, 0x1p-126, 0x1p-133, "the upper half of an f32"},
    {&f8_e4m3fn, 448, 0x1p-6, 0x1p-9, "OFP8: all-ones is NaN, so 480 is lost but not the binade"},
    {&f8_e4m3, 240, 0x1p-6, 0x1p-9, "IEEE-like: the top binade is lost to infinity and NaN"},
    {&f8_e5m2, 57344, 0x1p-14, 0x1p-16, "OFP8: the range of f16 with two fraction bits"},
};

TEST(format, has_the_published_limits) {
  for (const limits_row& row : published_limits) {
    EXPECT_EQ(largest_finite(*row.f), row.largest) << row.f->name << ": " << row.why;
    EXPECT_EQ(smallest_normal(*row.f), row.normal) << row.f->name << ": " << row.why;
    EXPECT_EQ(smallest_subnormal(*row.f), row.subnormal) << row.f->name << ": " << row.why;
  }
}

TEST(format, limits_are_listed_for_every_format) {
  EXPECT_EQ(std::size(published_limits), std::size(all_formats));
}

TEST(format, unit_roundoff_is_half_the_gap_above_one) {
  EXPECT_EQ(unit_roundoff(f64), std::numeric_limits<double>::epsilon() / 2);
  EXPECT_EQ(unit_roundoff(f32), std::numeric_limits<float>::epsilon() / 2);
  EXPECT_EQ(unit_roundoff(f8_e5m2), 0.125);
}

TEST(format, is_found_by_its_name_only) {
  for (const format* f : all_formats) EXPECT_EQ(find_format(f->name), f);
  EXPECT_EQ(find_format("f8"), nullptr);
  EXPECT_EQ(find_format(""), nullptr);
}

TEST(power_of_two, is_exact_down_to_the_smallest_subnormal) {
  double expected = std::numeric_limits<double>::denorm_min();
  for (int exponent = -1074; exponent <= 1023; ++exponent, expected *= 2)
    ASSERT_EQ(power_of_two(exponent), expected) << exponent;
}

}  // namespace
}  // namespace attest
