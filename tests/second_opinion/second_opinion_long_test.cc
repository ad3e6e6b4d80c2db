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

void print(const char* kind, value_regime regime, const widest& w) {
  std::printf("%-16s %-12s %7.1f  %s\n", std::string(name_of(regime)).c_str(), kind,
              log2_of(w.part), w.cause.c_str());
}

void print(const widest_radii& radii) {
  std::printf("regime           radius of    log2     at its widest in\n");
  for (const auto& [regime, w] : radii) {
    print("sum a|v|", regime, w.of_magnitude);
    print("max |v|", regime, w.of_value);
    print("max(1, lse)", regime, w.lse);
    print("weight", regime, w.weight);
    std::printf("%-16s %lld of %lld rows in multiprecision\n", "",
                static_cast<long long>(w.multiprecision_rows), static_cast<long long>(w.rows));
  }
}

TEST(second_opinion_long, agrees_with_the_certified_reference_in_20000_problems) {
  widest_radii radii;
  certified_options all;
  all.weights = all.magnitudes = true;
  for (std::uint64_t seed = first_seed; seed < first_seed + problems; ++seed) {
    const drawn_problem drawn = draw_problem(seed);
    const certified_answer answer = certify(drawn.asked, all);
    radii[drawn.regime].include(drawn.asked, answer, drawn.text);
    const auto found = disagreement(drawn.asked, answer);
    EXPECT_FALSE(found) << drawn.text << '\n' << *found;
    if (seed % problems_a_definition != 0) continue;
    const auto escaped = escapes(drawn.asked, answer, hundred_digits);
    EXPECT_FALSE(escaped) << drawn.text << '\n' << *escaped;
  }
  print(radii);
}

}  // namespace
}  // namespace attest::second_opinion
