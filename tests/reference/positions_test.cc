// What positions add to attention, by their formulas.
#include <gtest/gtest.h>

#include <cmath>

#include "reference/positions/alibi.h"
#include "reference/positions/relative_buckets.h"
#include "reference/positions/rotary.h"
#include "reference/positions/sinusoidal.h"

namespace attest {
namespace {

void expect_frequencies(const rotary_angles& angles, const std::vector<double>& due) {
  const std::vector<double> found =
      rotary_frequencies(angles, static_cast<std::int64_t>(due.size()));
  ASSERT_EQ(found.size(), due.size());
  for (std::size_t t = 0; t < due.size(); ++t) EXPECT_NEAR(found[t], due[t], 1e-14 * due[t]) << t;
}

TEST(rotary_frequencies, fall_geometrically_from_1) {
  expect_frequencies({}, {1, 0.1, 0.01, 0.001});
  expect_frequencies({.base = 16}, {1, 0.25});
  expect_frequencies({}, {1});
  expect_frequencies({}, {});
}

TEST(rotary_frequencies, are_all_divided_by_linear_scaling) {
  expect_frequencies({.base = 16, .scaling = rotary_scaling::linear, .factor = 4}, {0.25, 0.0625});
}

// The fastest pair stays, the slowest turns the factor times slower.
TEST(rotary_frequencies, of_a_grown_base_stretch_the_slowest_pair) {
  expect_frequencies({.scaling = rotary_scaling::ntk_aware, .factor = 8},
                     {1, 0.1 / 2, 0.01 / 4, 0.001 / 8});
  expect_frequencies({.scaling = rotary_scaling::ntk_aware, .factor = 8}, {1});
}

// Over 200 pi positions, 1, 0.1 and 0.01 a position are 100, 10 and 1 turns.
TEST(rotary_frequencies, by_wavelength_divide_slow_pairs_alone) {
  rotary_angles a{.base = 1e4, .scaling = rotary_scaling::by_wavelength, .factor = 8};
  a.trained_positions = 200 * std::acos(-1.0);
  expect_frequencies(a, {1, 0.1, 0.01 / 8, 0.001 / 8});
  a.high_turns = 19;  // 10 turns are halfway from 1
  expect_frequencies(a, {1, 0.1 * 0.5 + 0.1 / 8 * 0.5, 0.01 / 8, 0.001 / 8});
}

// ---- The others ----

TEST(sinusoidal_embedding, alternates_sine_and_cosine_and_slows_down) {
  EXPECT_EQ(sinusoidal_embedding(0, 4, 8), 0);
  EXPECT_EQ(sinusoidal_embedding(0, 5, 8), 1);
  EXPECT_NEAR(sinusoidal_embedding(3, 0, 8), std::sin(3.0), 1e-15);
  EXPECT_NEAR(sinusoidal_embedding(3, 1, 8), std::cos(3.0), 1e-15);
  EXPECT_NEAR(sinusoidal_embedding(3, 6, 8), std::sin(0.003), 1e-17);
  EXPECT_NEAR(sinusoidal_embedding(100, 3, 8), std::cos(10.0), 1e-13);
}

TEST(alibi_slopes, of_a_power_of_two_are_the_same_by_both_rules) {
  const std::vector<double> due{0.25, 0.0625, 0.015625, 0.00390625};
  EXPECT_EQ(alibi_slopes(slope_rule::geometric, 4), due);
  EXPECT_EQ(alibi_slopes(slope_rule::interleaved, 4), due);
}

// Of 6 heads: those of 4, then the first and the third of those of 8.
TEST(alibi_slopes, of_other_numbers_differ) {
  EXPECT_EQ(alibi_slopes(slope_rule::interleaved, 6),
            (std::vector<double>{0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125}));
  EXPECT_NEAR(alibi_slopes(slope_rule::geometric, 6)[0], std::exp2(-8.0 / 6), 1e-15);
}

TEST(bucket_of, near_keys_have_their_own) {
  const relative_buckets both;
  for (std::int64_t distance = 0; distance < 8; ++distance) {
    EXPECT_EQ(bucket_of(both, -distance), distance);
    EXPECT_EQ(bucket_of(both, distance), distance == 0 ? 0 : 16 + distance);
  }
}

// 8 buckets from 8 to 128: each ends where the distance has grown by the root of 2.
TEST(bucket_of, far_keys_share_one) {
  const relative_buckets both;
  const std::int64_t first[] = {8, 12, 16, 23, 32, 46, 64, 91};  // 8 * 2^(n / 2), rounded up
  for (std::int64_t n = 0; n < 8; ++n) {
    EXPECT_EQ(bucket_of(both, -first[n]), 8 + n) << first[n];
    EXPECT_EQ(bucket_of(both, -first[n] + 1), 7 + n) << first[n] - 1;
  }
  for (const std::int64_t far : {127, 128, 129, 100000}) {
    EXPECT_EQ(bucket_of(both, -far), 15);
    EXPECT_EQ(bucket_of(both, far), 31);
  }
}

TEST(bucket_of, one_direction_has_all_of_them) {
  const relative_buckets past{.both_directions = false};
  EXPECT_EQ(bucket_of(past, 5), 0);
  EXPECT_EQ(bucket_of(past, -15), 15);
  EXPECT_EQ(bucket_of(past, -16), 16);
  EXPECT_EQ(bucket_of(past, -32), 21) << "16 + floor(16 log 2 / log 8)";
  EXPECT_EQ(bucket_of(past, -128), 31);
}

}  // namespace
}  // namespace attest
