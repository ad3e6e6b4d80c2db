// The random numbers: their bits as they were, and what randomness owes.
// Each statistical test would fail by chance, were its seed drawn at random, with probability below
// 1e-8 (stated as false_alarm, before the approximation of the statistic's distribution); its seed
// is fixed.
#include "reference/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "reference/elementary/elementary.h"
#include "reference/elementary/normal_quantile.h"

namespace attest::test {
namespace {

constexpr double false_alarm = 1e-9;
constexpr std::uint64_t all_ones = ~std::uint64_t{0};

// ---- Bits --------------------------------------------------------------------------------------

struct golden_bits {
  std::uint64_t seed, stream, index;
  std::uint64_t bits;
};

// Computed by an independent program of arbitrary-precision integers, from the contract in
// random.h.
constexpr golden_bits golden[] = {
    {0, 0, 0, 0x238275bc38fcbe91},          {0, 0, 1, 0xf89a2566b5822c54},
    {0, 1, 0, 0x2f101fe21496ea20},          {1, 0, 0, 0xb18a02f46d8d86c3},
    {42, 7, 123456789, 0x85a5e2e8e28686d9}, {all_ones, all_ones, all_ones, 0x179f01f0d2fba97a},
};

TEST(random, has_the_bits_it_had) {
  for (const golden_bits& row : golden) {
    EXPECT_EQ(random_bits(row.seed, row.stream, row.index), row.bits);
  }
}

TEST(random, unit_below_and_normal_have_the_values_they_had) {
  EXPECT_EQ(random_unit(0, 0, 0), 0x1.1c13ade1c7e5cp-3);
  EXPECT_EQ(random_unit(0, 0, 1), 0x1.f1344acd6b045p-1);
  EXPECT_EQ(random_below(0, 0, 1, 10), 9u);
  EXPECT_EQ(random_below(42, 7, 123456789, 10), 5u);
  EXPECT_EQ(random_normal(0, 0, 0), -0x1.160d028a01c2cp+0);
  EXPECT_EQ(random_normal(0, 0, 1), 0x1.e5b1bca8b0d5bp+0);
  EXPECT_EQ(random_normal(42, 7, 123456789), 0x1.c544c4d6b4d0bp-5);
}

TEST(random, does_not_depend_on_the_order_of_evaluation) {
  constexpr int count = 1000;
  std::vector<double> forwards(count), backwards(count);
  for (int i = 0; i < count; ++i) forwards[i] = random_normal(3, 4, i);
  for (int i = count - 1; i >= 0; --i) backwards[i] = random_normal(3, 4, i);
  EXPECT_EQ(forwards, backwards);
}

TEST(random, never_repeats_within_a_stream) {
  std::vector<std::uint64_t> bits;
  for (int i = 0; i < 1'000'000; ++i) bits.push_back(random_bits(5, 6, i));
  std::sort(bits.begin(), bits.end());
  EXPECT_EQ(std::adjacent_find(bits.begin(), bits.end()), bits.end());
}

// ---- Uniformity --------------------------------------------------------------------------------

// The quantile of the chi-squared distribution, by the cube of a normal variate.
// Source: E. B. Wilson, M. M. Hilferty, "The distribution of chi-square", 1931.
double chi_squared_quantile(double p, double degrees) {
  const double spread = 2 / (9 * degrees);
  const double root = 1 - spread + normal_quantile(p) * std::sqrt(spread);
  return degrees * root * root * root;
}

using draw = std::function<std::uint64_t(std::uint64_t index)>;

// Neither more uneven nor more even than chance makes the counts of `bins` equally likely values.
void expect_uniform(const char* what, std::uint64_t bins, const draw& bin_of) {
  constexpr int count = 1'000'000;
  std::vector<double> counts(bins);
  for (int i = 0; i < count; ++i) counts.at(bin_of(i)) += 1;
  const double expected = static_cast<double>(count) / static_cast<double>(bins);
  double statistic = 0;
  for (const double n : counts) statistic += (n - expected) * (n - expected) / expected;
  const double degrees = static_cast<double>(bins - 1);
  EXPECT_LT(statistic, chi_squared_quantile(1 - false_alarm / 2, degrees)) << what;
  EXPECT_GT(statistic, chi_squared_quantile(false_alarm / 2, degrees)) << what;
}

TEST(random, bits_are_uniform) {
  for (int shift = 0; shift < 64; shift += 8) {
    expect_uniform("eight bits", 256,
                   [=](std::uint64_t i) { return (random_bits(7, 0, i) >> shift) % 256; });
  }
}

TEST(random, units_and_integers_below_n_are_uniform) {
  expect_uniform("unit", 1000, [](std::uint64_t i) {
    return static_cast<std::uint64_t>(random_unit(8, 0, i) * 1000);
  });
  expect_uniform("below 37", 37, [](std::uint64_t i) { return random_below(8, 1, i, 37); });
}

// A pair of hexadecimal digits, from the same place of two draws.
std::uint64_t digits(std::uint64_t a, std::uint64_t b, int shift) {
  return (a >> shift) % 16 * 16 + (b >> shift) % 16;
}

TEST(random, neighbours_in_index_stream_and_seed_are_independent) {
  for (const int shift : {0, 30, 60}) {
    expect_uniform("index", 256, [=](std::uint64_t i) {
      return digits(random_bits(9, 0, 2 * i), random_bits(9, 0, 2 * i + 1), shift);
    });
    expect_uniform("stream", 256, [=](std::uint64_t i) {
      return digits(random_bits(9, 1, i), random_bits(9, 2, i), shift);
    });
    expect_uniform("seed", 256, [=](std::uint64_t i) {
      return digits(random_bits(10, 0, i), random_bits(11, 0, i), shift);
    });
    expect_uniform("seed and stream exchanged", 256, [=](std::uint64_t i) {
      return digits(random_bits(12, 13, i), random_bits(13, 12, i), shift);
    });
  }
}

// ---- Avalanche ---------------------------------------------------------------------------------

using counter = std::array<std::uint64_t, 3>;  // seed, stream, index

std::uint64_t bits_of(const counter& c) { return random_bits(c[0], c[1], c[2]); }

// How often each output bit changes with that input bit, over `count` counters of small numbers.
std::array<int, 64> flips(int word, int bit, int count) {
  std::array<int, 64> changed{};
  for (int i = 0; i < count; ++i) {
    const counter from{random_below(14, 0, i, 1000), random_below(14, 1, i, 1000),
                       static_cast<std::uint64_t>(i)};
    counter to = from;
    to[word] ^= std::uint64_t{1} << bit;
    const std::uint64_t difference = bits_of(from) ^ bits_of(to);
    for (int out = 0; out < 64; ++out) changed[out] += difference >> out & 1;
  }
  return changed;
}

TEST(random, every_input_bit_changes_every_output_bit_half_the_time) {
  constexpr int count = 4096, cells = 3 * 64 * 64;
  const double limit = -normal_quantile(false_alarm / (2 * cells)) * std::sqrt(count) / 2;
  for (int word = 0; word < 3; ++word) {
    for (int bit = 0; bit < 64; ++bit) {
      for (const int n : flips(word, bit, count)) {
        EXPECT_LT(std::abs(n - count / 2), limit) << "bit " << bit << " of word " << word;
      }
    }
  }
}

// ---- Ranges ------------------------------------------------------------------------------------

TEST(random, units_are_multiples_of_2_to_the_minus_53_below_1) {
  for (int i = 0; i < 100'000; ++i) {
    const double scaled = random_unit(15, 0, i) * 0x1p53;
    EXPECT_TRUE(0 <= scaled && scaled < 0x1p53 && scaled == std::floor(scaled));
  }
}

__extension__ using wide = unsigned __int128;

TEST(random, integers_below_n_are_the_bits_times_n_over_2_to_the_64) {
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t bits = random_bits(16, 0, i);
    const std::uint64_t n = (random_bits(16, 1, i) >> i % 64) | 1;
    EXPECT_EQ(random_below(16, 0, i, n), static_cast<std::uint64_t>(wide{bits} * n >> 64));
    EXPECT_EQ(random_below(16, 0, i, 1), 0u);
    EXPECT_LT(random_below(16, 0, i, all_ones), all_ones);
  }
}

// ---- Normality ---------------------------------------------------------------------------------

std::vector<double> normals(int count) {
  std::vector<double> xs(count);
  for (int i = 0; i < count; ++i) xs[i] = random_normal(17, 0, i);
  return xs;
}

double mean_power(const std::vector<double>& xs, int power) {
  double sum = 0;
  for (const double x : xs) {
    double term = 1;
    for (int i = 0; i < power; ++i) term *= x;
    sum += term;
  }
  return sum / static_cast<double>(xs.size());
}

struct moment {
  int power;
  double expected;
  double variance;  // of one sample: E x^(2 power) - (E x^power)^2
};

TEST(random, normal_variates_have_the_moments_of_the_normal_distribution) {
  const std::vector<double> xs = normals(1'000'000);
  const double limit = -normal_quantile(false_alarm / 2);
  for (const moment& m : {moment{1, 0, 1}, {2, 1, 2}, {3, 0, 15}, {4, 3, 96}}) {
    const double deviation = (mean_power(xs, m.power) - m.expected) * std::sqrt(1e6 / m.variance);
    EXPECT_LT(std::abs(deviation), limit) << "moment " << m.power;
  }
}

// The largest distance between the distribution function of the samples and Phi. libm's erfc is
// good enough here: its error is far below what the test could see.
double kolmogorov_distance(std::vector<double> xs) {
  std::sort(xs.begin(), xs.end());
  const double count = static_cast<double>(xs.size());
  double distance = 0;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const double phi = std::erfc(-xs[i] / std::sqrt(2.)) / 2;
    const double below = static_cast<double>(i) / count;
    distance = std::max({distance, phi - below, below + 1 / count - phi});
  }
  return distance;
}

TEST(random, normal_variates_follow_the_normal_distribution) {
  // Kolmogorov and Smirnov: P(D sqrt n > x) is near 2 exp(-2 x^2) for large x.
  const double limit = std::sqrt(-log_double(false_alarm / 2) / 2);
  EXPECT_LT(kolmogorov_distance(normals(1'000'000)) * std::sqrt(1e6), limit);
}

TEST(random, normal_variates_are_never_zero_nor_beyond_their_largest) {
  const double largest = -normal_quantile(0x1p-53);
  EXPECT_LT(largest, 8.21);
  for (const double x : normals(100'000)) EXPECT_TRUE(x != 0 && std::abs(x) <= largest);
}

}  // namespace
}  // namespace attest::test
