// The bound of merged parts, against parts that are moved to the ends of their own bounds.
#include "derivation/bounds/parts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "reference/random.h"

namespace attest {
namespace {

constexpr std::uint64_t seed = 20261130;

// A part at one column: exact values, and how far each may be off.
struct part {
  double lse, output, lse_error, output_error;
};

double log_mass(const std::vector<part>& parts) {
  double mass = 0;
  for (const part& s : parts) mass += std::exp(s.lse);
  return std::log(mass);
}

double mixed(const std::vector<part>& parts) {
  double sum = 0;
  for (const part& s : parts) sum += std::exp(s.lse - log_mass(parts)) * s.output;
  return sum;
}

std::vector<part_error> errors_of(const std::vector<part>& parts) {
  std::vector<part_error> errors;
  for (const part& s : parts)
    errors.push_back({std::exp(s.lse - log_mass(parts)), s.lse_error, s.output_error,
                      std::fabs(s.output - mixed(parts))});
  return errors;
}

// Bit 2 s of `ends` says to which end the lse of part s moves, bit 2 s + 1 its output.
std::vector<part> moved(std::vector<part> parts, unsigned ends) {
  for (std::size_t s = 0; s < parts.size(); ++s) {
    parts[s].lse += (ends >> (2 * s) & 1) != 0 ? parts[s].lse_error : -parts[s].lse_error;
    parts[s].output +=
        (ends >> (2 * s + 1) & 1) != 0 ? parts[s].output_error : -parts[s].output_error;
  }
  return parts;
}

std::vector<part> random_parts(std::uint64_t number, std::size_t count) {
  std::vector<part> parts;
  for (std::uint64_t s = 0; s < count; ++s) {
    const auto normal = [&](std::uint64_t n) { return random_normal(seed, n, 16 * number + s); };
    const double size = std::exp(-4 * std::fabs(normal(0)));
    parts.push_back(
        {3 * normal(1), 2 * normal(2), size * std::fabs(normal(3)), size * std::fabs(normal(4))});
  }
  return parts;
}

// Largest error over bound that moving to the ends shows.
struct reached {
  double output = 0, lse = 0;
};

reached ratios(const std::vector<part>& parts) {
  const auto errors = errors_of(parts);
  reached most;
  for (unsigned ends = 0; ends < 1u << (2 * parts.size()); ++ends) {
    const auto other = moved(parts, ends);
    most.output =
        std::max(most.output, std::fabs(mixed(other) - mixed(parts)) / merged_output_bound(errors));
    most.lse =
        std::max(most.lse, std::fabs(log_mass(other) - log_mass(parts)) / merged_lse_bound(errors));
  }
  return most;
}

TEST(merged_bound, holds_at_every_end_and_is_nearly_reached) {
  reached most;
  for (std::uint64_t number = 0; number < 400; ++number) {
    const reached r = ratios(random_parts(number, 2 + number % 3));
    EXPECT_LE(r.output, 1 + 1e-12) << number;
    EXPECT_LE(r.lse, 1 + 1e-12) << number;
    most.output = std::max(most.output, r.output);
    most.lse = std::max(most.lse, r.lse);
  }
  EXPECT_GT(most.output, 0.7);
  EXPECT_GT(most.lse, 0.99);
}

TEST(merged_bound, of_one_part_is_its_own) {
  const std::vector<part_error> one{{1, 0.25, 0.5, 0}};
  EXPECT_NEAR(merged_lse_bound(one), 0.25, 1e-8);
  EXPECT_GE(merged_output_bound(one), 0.5);
}

TEST(merged_bound, takes_nothing_from_a_part_without_mass) {
  const std::vector<part_error> with{{1, 0.25, 0.5, 0}, {0, 1, 1e6, 1e6}},
      without{{1, 0.25, 0.5, 0}};
  EXPECT_EQ(merged_output_bound(with), merged_output_bound(without));
  EXPECT_EQ(merged_lse_bound(with), merged_lse_bound(without));
}

TEST(merged_bound, is_infinite_where_a_part_says_nothing) {
  const double infinity = std::numeric_limits<double>::infinity();
  const part_error some{0.5, 0.1, 0.1, 0.1};
  const std::vector<part_error> any_lse{some, {0.5, infinity, 0, 0}},
      any_output{some, {0.5, 0, infinity, 0}};
  EXPECT_EQ(merged_output_bound(any_lse), infinity);
  EXPECT_EQ(merged_lse_bound(any_lse), infinity);
  EXPECT_EQ(merged_output_bound(any_output), infinity);
  EXPECT_LT(merged_lse_bound(any_output), 0.1) << "the lse does not depend on the output";
}

}  // namespace
}  // namespace attest
