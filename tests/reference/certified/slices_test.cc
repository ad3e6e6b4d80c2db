#include "reference/certified/slices.h"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

constexpr std::size_t length = 8;

std::vector<double> vectors_of_wide_span() {
  std::vector<double> x(3 * length);
  for (std::size_t n = 0; n < length; ++n) {
    x[n] = 1 + static_cast<double>(n);                                       // narrow
    x[length + n] = std::ldexp(1 + 0x1p-52, 20 * static_cast<int>(n) - 80);  // wide
  }                                                                          // the third is zero
  return x;
}

bool is_multiple(double x, double unit) { return std::fmod(x, unit) == 0; }

TEST(slices, add_up_to_the_vectors) {
  const std::vector<double> x = vectors_of_wide_span();
  std::vector<double> consumed = x;
  const auto slices = slice_vectors(consumed, length, vector_size::euclidean, 48);
  EXPECT_GT(slices.size(), 3u);
  for (std::size_t n = 0; n < x.size(); ++n) {
    double rest = x[n];
    for (const vector_slice& s : slices) rest -= s.values[n];  // exact: the slices are parts of x
    EXPECT_EQ(rest, 0) << n;
  }
}

TEST(slices, span_no_more_bits_than_allowed) {
  std::vector<double> x = vectors_of_wide_span();
  for (const vector_slice& s : slice_vectors(x, length, vector_size::absolute, 40)) {
    for (std::size_t v = 0; v < 3; ++v) {
      EXPECT_LE(s.bits[v], 40);
      double size = 0;
      for (std::size_t n = 0; n < length; ++n) size += std::fabs(s.values[v * length + n]);
      EXPECT_LT(1.02 * size, s.anchors[v]);
      for (std::size_t n = 0; n < length; ++n)
        EXPECT_TRUE(is_multiple(s.values[v * length + n], std::ldexp(s.anchors[v], -s.bits[v])));
    }
  }
}

TEST(slices, of_narrow_vectors_are_the_vectors_themselves) {
  std::vector<double> x(length, 0.75);
  const auto slices = slice_vectors(x, length, vector_size::euclidean, 48);
  ASSERT_EQ(slices.size(), 1u);
  EXPECT_EQ(slices.front().values.data(), x.data());
  EXPECT_LE(slices.front().bits.front(), 4);
}

TEST(slices, take_numbers_whose_products_neither_overflow_nor_underflow) {
  EXPECT_TRUE(representable(0));
  EXPECT_TRUE(representable(-0x1p-149));
  EXPECT_TRUE(representable(0x1.fffffep127));
  EXPECT_FALSE(representable(0x1p160));
  EXPECT_FALSE(representable(0x1p-161));
  EXPECT_FALSE(representable(INFINITY));
  EXPECT_FALSE(representable(NAN));
}

}  // namespace
}  // namespace attest
