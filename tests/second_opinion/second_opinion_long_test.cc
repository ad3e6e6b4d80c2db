// Twenty thousand problems, and how wide the enclosures are at their widest in each regime.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <map>

#include "tests/second_opinion/definition_within.h"
#include "tests/second_opinion/disagreement.h"
#include "tests/second_opinion/drawn_problem.h"
#include "tests/second_opinion/widest_radius.h"

namespace attest::second_opinion {
namespace {

constexpr std::uint64_t first_seed = 1'000'000;
constexpr std::uint64_t problems = 20'000;
constexpr std::uint64_t problems_a_definition = 50;  // one in so many is evaluated with 100 digits

using widest_radii = std::map<value_regime, widest_radius>;

double log2_of(double x) { return x > 0 ? std::log2(x) : -std::numeric_limits<double>::infinity(); }

void print(const widest_radii& radii) {
  std::printf(
      "widest radius, log2    of sum a|v|  of max(1, lse)     of 1      rows  multiprecision\n");
  for (const auto& [regime, w] : radii)
    std::printf("%-20s %13.1f %15.1f %9.1f %9lld %10lld\n", std::string(name_of(regime)).c_str(),
                log2_of(w.output), log2_of(w.lse), log2_of(w.weight),
                static_cast<long long>(w.rows), static_cast<long long>(w.multiprecision_rows));
  for (const auto& [regime, w] : radii)
    std::printf("%s at: %s\n", std::string(name_of(regime)).c_str(), w.cause.c_str());
}

TEST(second_opinion_long, agrees_with_the_certified_reference_in_20000_problems) {
  widest_radii radii;
  certified_options all;
  all.weights = all.magnitudes = true;
  for (std::uint64_t seed = first_seed; seed < first_seed + problems; ++seed) {
    const drawn_problem drawn = draw_problem(seed);
    const certified_answer answer = certify(drawn.asked, all);
    radii[drawn.regime].include(answer, drawn.text);
    const auto found = disagreement(drawn.asked, answer);
    ASSERT_FALSE(found) << drawn.text << '\n' << *found;
    if (seed % problems_a_definition != 0) continue;
    const auto escaped = escapes(drawn.asked, answer, hundred_digits);
    ASSERT_FALSE(escaped) << drawn.text << '\n' << *escaped;
  }
  print(radii);
}

}  // namespace
}  // namespace attest::second_opinion
