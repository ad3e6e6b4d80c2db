// The order of a format's numbers against their encodings and round_to.
#include "reference/formats/ordinal.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/formats/encoding.h"
#include "reference/formats/rounding.h"

namespace attest {
namespace {

double value_of(const dyadic& x) {
  return std::scalbn(static_cast<double>(x.significand), x.exponent);
}

template <class Check>
void for_every_number_of_small_formats(Check check) {
  for (const format* f : all_formats) {
    if (f->storage_bits > 16) continue;
    SCOPED_TRACE(f->name);
    for (std::int64_t n = -last_ordinal(*f); n <= last_ordinal(*f); ++n) check(*f, n);
  }
}

TEST(ordinal, counts_the_numbers_as_their_encodings_do) {
  for_every_number_of_small_formats([](const format& f, std::int64_t n) {
    const double x = number_at(f, n);
    ASSERT_EQ(ordinal(f, x), n);
    ASSERT_EQ(value_of(point_at(f, n)), x);
    ASSERT_EQ(encode(f, std::fabs(x)), static_cast<std::uint64_t>(std::abs(n)));
  });
}

TEST(ordinal, a_midpoint_rounds_to_the_even_neighbour) {
  for_every_number_of_small_formats([](const format& f, std::int64_t n) {
    const double rounded = round_to(f, {}, value_of(midpoint_after(f, n)));
    const double even = number_at(f, n % 2 == 0 ? n : n + 1);
    ASSERT_TRUE(rounded == even || (std::isnan(rounded) && std::isnan(even))) << n;
  });
}

TEST(ordinal, ends_where_the_format_does) {
  for (const format* f : all_formats) {
    const std::int64_t last = last_ordinal(*f);
    EXPECT_EQ(number_at(*f, last), largest_finite(*f)) << f->name;
    EXPECT_EQ(number_at(*f, 1), smallest_subnormal(*f)) << f->name;
    EXPECT_EQ(number_at(*f, -1), -smallest_subnormal(*f)) << f->name;
    EXPECT_EQ(std::isnan(number_at(*f, last + 1)), f->kind == specials::nan_only) << f->name;
    EXPECT_EQ(ordinal(*f, std::numeric_limits<double>::infinity()), last + 1) << f->name;
    EXPECT_EQ(ordinal(*f, -0.0), 0) << f->name;
  }
}

TEST(ordinal, midpoints_of_doubles_need_a_bit_more) {
  EXPECT_EQ(midpoint_after(f64, 0), (dyadic{1, -1075}));
  EXPECT_EQ(midpoint_after(f64, -1), (dyadic{-1, -1075}));
  EXPECT_EQ(midpoint_after(f64, ordinal(f64, 1)), (dyadic{(std::int64_t{1} << 53) + 1, -53}));
  EXPECT_EQ(midpoint_after(f64, last_ordinal(f64)),
            (dyadic{(std::int64_t{1} << 54) - 1, 1023 - 53}));
}

}  // namespace
}  // namespace attest
