// The enclosures of gradients hold what other numbers give.
#include "reference/exact/exact_gradient.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>

#include "reference/semantics/profiles.h"
#include "tests/reference/backends/random_spec.h"
#include "tests/reference/gradient/input_element.h"
#include "tests/reference/members.h"

namespace attest {
namespace {

using boost::multiprecision::cpp_bin_float;
using mp100 = boost::multiprecision::number<cpp_bin_float<100>, boost::multiprecision::et_off>;

problem drawn_problem(std::uint64_t seed, const std::string& member) {
  problem_spec spec = unusual_spec(seed, seed % 2 == 0 ? f32 : bf16);
  spec.dims.keys = std::min<std::int64_t>(spec.dims.keys, 12);
  spec.dims.width = std::min<std::int64_t>(spec.dims.width, 8);
  spec.page = 0;
  spec.regime = seed % 3 == 0 ? value_regime::outliers : value_regime::normal;
  spec.profile += "," + member;
  if (!find_profile(spec.profile).is_softmax()) spec.sink = false;
  return materialise(spec);
}

struct tally {
  int closed = 0, open = 0;
};

// Whether the number of 100 digits lies in the enclosure, but for its own roundings.
void expect_in(const enclosure& x, const mp100& number, const input_element& by, tally& count) {
  if (std::isinf(x.radius)) {
    ++count.open;
    return;
  }
  ++count.closed;
  const mp100 apart = abs(number - mp100(x.high) - mp100(x.low));
  EXPECT_LE(apart, mp100(x.radius) + mp100(1e-85) * (1 + abs(number)))
      << to_text(by) << ": " << number.str(25) << ", not " << x.high;
}

// Many of softmax attention, a few of its own of every other pair of scorer and normalizer.
std::vector<std::uint64_t> seeds_of(const std::string& member) {
  const std::vector<std::string> all = every_member();
  const auto place = std::find(all.begin(), all.end(), member) - all.begin();
  std::vector<std::uint64_t> seeds{1000 + static_cast<std::uint64_t>(place)};
  for (std::uint64_t seed = 1; place == 0 && seed < 20; ++seed) seeds.push_back(seed);
  return seeds;
}

class exact_member_gradient : public testing::TestWithParam<std::string> {};

TEST_P(exact_member_gradient, holds_that_of_100_digits) {
  tally count;
  for (const std::uint64_t seed : seeds_of(GetParam())) {
    const problem p = drawn_problem(seed, GetParam());
    const cotangents given = drawn_cotangents(p, seed);
    const attention_gradient<mp100> due = gradient_of<mp100>(p, given);
    const attention_gradient<enclosure> found = exact_gradient(p, given);
    for (const input_element& by : inputs_of(p))
      expect_in(gradient_by(found, by), gradient_by(due, by), by, count);
  }
  EXPECT_GT(count.closed, 0);
  EXPECT_EQ(count.open, 0);
}

INSTANTIATE_TEST_SUITE_P(every, exact_member_gradient, testing::ValuesIn(every_member()),
                         [](const auto& each) {
                           std::string name = each.param;
                           for (char& c : name)
                             if (c == '=' || c == ',') c = '_';
                           return name;
                         });

// Cosines of 1 and 0: the second score is the threshold itself, which intervals, that have taken
// roots, only know to their last bits.
TEST(exact_gradient, at_a_kink_that_intervals_do_not_see_holds_those_of_both_sides) {
  problem p = materialise(
      parse_problem_line("Lk=2 D=2 Dv=1 profile=attest,scorer=cosine,normalizer=sparsemax seed=1"));
  for (const index4& one : {index4{0, 0, 0, 0}, index4{0, 0, 0, 1}}) {
    p.q.set(one, 1);
    p.k.set(one, 1);
    p.k.set({0, 0, 1, one[3]}, one[3] == 0 ? 1 : -1);
  }
  tensor one(f64, place(layout::bhld, p.dims.o_sizes()), 0);
  one.set({0, 0, 0, 0}, 1);
  p.v.set({0, 0, 0, 0}, 1);
  p.v.set({0, 0, 1, 0}, -1);
  const enclosure dk = exact_gradient(p, {one, {}}).scored.k.at(0, 0, 1, 0);
  EXPECT_GE(dk.radius, std::fabs(dk.high)) << "0 with the second key outside of the support";
  EXPECT_GE(dk.radius, std::fabs(dk.high + 0.5)) << "-1/2 with it inside";
}

// One key weighs 1, whatever its score.
TEST(exact_gradient, of_a_single_key_is_that_of_a_constant) {
  const problem p = materialise(parse_problem_line("Lq=3 D=4 Dv=2 seed=4"));
  const cotangents given{drawn_cotangents(p, 5).o, {}};
  const attention_gradient<enclosure> g = exact_gradient(p, given);
  for (const enclosure& x : g.scored.q.values()) EXPECT_LE(std::fabs(x.high) + x.radius, 1e-70);
}

}  // namespace
}  // namespace attest
