// The gradients against central differences, both in 100 digits.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>

#include "reference/random.h"
#include "reference/semantics/profiles.h"
#include "tests/reference/backends/random_spec.h"
#include "tests/reference/gradient/input_element.h"

namespace attest {
namespace {

using boost::multiprecision::cpp_bin_float;
using mp100 = boost::multiprecision::number<cpp_bin_float<100>, boost::multiprecision::et_off>;

// Inputs are halves, so that a step away from them is a double as well.
problem small_problem(std::uint64_t seed, const std::string& member) {
  problem_spec spec = unusual_spec(seed, f16);
  spec.dims.batch = std::min<std::int64_t>(spec.dims.batch, 2);
  spec.dims.kv_heads = 1 + static_cast<std::int64_t>(seed % 2);
  spec.dims.query_heads = 2 * spec.dims.kv_heads;
  spec.dims.queries = std::min<std::int64_t>(spec.dims.queries, 3);
  spec.dims.keys = std::min<std::int64_t>(spec.dims.keys, 5);
  spec.dims.width = 2 + static_cast<std::int64_t>(seed % 2);
  spec.dims.value_width = std::min<std::int64_t>(spec.dims.value_width, 2);
  spec.placed = layout::bhld;
  spec.page = 0;
  if (spec.scale) spec.scale = 0.375;
  spec.regime = value_regime::normal;
  spec.profile += member;
  if (!find_profile(spec.profile).is_softmax()) spec.sink = false;
  return widened(materialise(spec));
}

mp100 central_difference(const problem& p, const cotangents& given, const input_element& x,
                         double step) {
  problem above = p, below = p;
  shift(above, x, step);
  shift(below, x, -step);
  return mp100((loss_of<mp100>(above, given) - loss_of<mp100>(below, given)) / (2 * step));
}

// Richardson's extrapolation of three steps h, 2 h, 4 h: what is left is of the order of h^6.
mp100 extrapolated_difference(const problem& p, const cotangents& given, const input_element& x) {
  const double h = 0x1p-40;
  const mp100 one = central_difference(p, given, x, h);
  const mp100 two = central_difference(p, given, x, 2 * h);
  const mp100 four = central_difference(p, given, x, 4 * h);
  const mp100 near = (4 * one - two) / 3, far = (4 * two - four) / 3;
  return (16 * near - far) / 15;
}

// Every n-th of them, not always the same.
std::vector<input_element> some_inputs(const problem& p, std::uint64_t seed, std::size_t count) {
  const std::vector<input_element> all = inputs_of(p);
  std::vector<input_element> some;
  const std::size_t step = std::max<std::size_t>(1, all.size() / count);
  for (std::size_t n = seed % step; n < all.size(); n += step) some.push_back(all[n]);
  return some;
}

// In digits.
double agreement(const mp100& x, const mp100& y, const mp100& size) {
  const mp100 apart = abs(x - y) / size;
  return apart == 0 ? 100 : static_cast<double>(-log10(apart));
}

class member_gradient : public testing::TestWithParam<std::string> {};

TEST_P(member_gradient, is_the_limit_of_central_differences) {
  double least = 100;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const problem p = small_problem(seed, GetParam());
    const cotangents given = drawn_cotangents(p, seed);
    const attention_gradient<mp100> g = gradient_of<mp100>(p, given);
    for (const input_element& x : some_inputs(p, seed, 8)) {
      const mp100 exact = gradient_by(g, x), seen = extrapolated_difference(p, given, x);
      const double digits = agreement(exact, seen, mp100(1 + abs(exact)));
      EXPECT_GE(digits, 30) << "seed " << seed << ", " << to_text(x) << ": " << exact.str(20)
                            << ", not " << seen.str(20);
      least = std::min(least, digits);
    }
  }
  RecordProperty("digits", std::to_string(least));
}

// The error of a central difference falls with the square of the step.
TEST_P(member_gradient, is_met_by_central_differences_with_order_2) {
  int seen = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const problem p = small_problem(seed, GetParam());
    const cotangents given = drawn_cotangents(p, seed);
    const attention_gradient<mp100> g = gradient_of<mp100>(p, given);
    for (const input_element& x : some_inputs(p, seed, 8)) {
      const mp100 exact = gradient_by(g, x);
      const mp100 wide = abs(central_difference(p, given, x, 0x1p-19) - exact);
      const mp100 narrow = abs(central_difference(p, given, x, 0x1p-20) - exact);
      if (wide < 1e-17) continue;  // linear, or nearly so
      EXPECT_NEAR(static_cast<double>(log2(mp100(wide / narrow))), 2, 0.01)
          << "seed " << seed << ", " << to_text(x);
      ++seen;
    }
  }
  EXPECT_TRUE(seen >= 5 || GetParam().find("uniform") != std::string::npos ||
              GetParam().find("identity") != std::string::npos)
      << seen;
}

std::vector<std::string> members() {
  std::vector<std::string> all;
  for (const char* scored_by :
       {"scaled_dot", "dot", "general", "additive", "concat", "cosine", "mlp", "rotary_halves",
        "rotary_pairs", "elu_features", "relu_features", "exp_features"})
    all.push_back(std::string(",scorer=") + scored_by);
  for (const char* normalised_by :
       {"sparsemax", "entmax_1_5", "alpha_entmax", "relu_ratio", "ratio", "uniform", "identity"})
    all.push_back(std::string(",normalizer=") + normalised_by);
  return all;
}

INSTANTIATE_TEST_SUITE_P(every, member_gradient, testing::ValuesIn(members()),
                         [](const auto& each) {
                           std::string name = each.param.substr(1);
                           std::replace(name.begin(), name.end(), '=', '_');
                           return name;
                         });

}  // namespace
}  // namespace attest
