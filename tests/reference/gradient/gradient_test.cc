// The gradients against central differences and dual numbers, all in 100 digits.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <map>
#include <set>

#include "reference/random.h"
#include "reference/semantics/profiles.h"
#include "tests/reference/backends/random_spec.h"
#include "tests/reference/gradient/input_element.h"
#include "tests/reference/gradient_check.h"

namespace attest {
namespace {

using boost::multiprecision::cpp_bin_float;
using mp100 = boost::multiprecision::number<cpp_bin_float<100>, boost::multiprecision::et_off>;

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
  return with_coarse_numbers(materialise(spec));
}

// One of each tensor, not always the same.
std::vector<input_element> one_of_each(const problem& p, std::uint64_t seed) {
  std::vector<std::vector<input_element>> tensors;
  for (const input_element& x : inputs_of(p)) {
    const bool other = tensors.empty() || tensors.back().back().of != x.of ||
                       (x.of == input_element::input::parameter && tensors.back().back().n != x.n);
    if (other) tensors.emplace_back();
    tensors.back().push_back(x);
  }
  std::vector<input_element> some;
  for (const std::vector<input_element>& each : tensors)
    some.push_back(each[random_below(seed, 3000, some.size(), each.size())]);
  return some;
}

// sum do o + sum dlse lse
struct loss {
  const cotangents& given;
  template <Number T>
  T operator()(const problem& p) const {
    return loss_of<T>(p, given);
  }
};

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

class member_gradient : public testing::TestWithParam<std::string> {
 protected:
  // Many of the first, on which all conventions and features are tried.
  std::uint64_t problems() const { return GetParam() == members().front() ? 80 : 6; }
  // Of every single input, as a rule.
  bool is_linear() const {
    static const std::set<std::string> linear{",normalizer=uniform", ",normalizer=identity",
                                              ",normalizer=sparsemax", ",scorer=relu_features"};
    return linear.contains(GetParam());
  }
};

using counts = std::map<std::string, test::held>;

// Holds the gradient by one number of each kind of input, and counts it.
void expect_agreement(const problem& p, std::uint64_t seed, counts& held) {
  const cotangents given = drawn_cotangents(p, seed);
  const attention_gradient<mp100> g = gradient_of<mp100>(p, given);
  for (const input_element& x : one_of_each(p, seed)) {
    const std::function<void(problem&, double)> move = [&](problem& moved, double step) {
      shift(moved, x, step);
    };
    const test::agreement found =
        test::agreement_of<mp100>(gradient_by(g, x), p, move, loss{given});
    EXPECT_TRUE(found.holds()) << "seed " << seed << ", " << to_text(x) << ": " << found.text();
    test::held& count = held[std::string(name_of(x.of))];
    ++count.all;
    count.with_order += found.order ? 1 : 0;
  }
}

TEST_P(member_gradient, agrees_with_differences_and_dual_numbers) {
  counts held;
  for (std::uint64_t seed = 1; seed <= problems(); ++seed)
    expect_agreement(small_problem(seed, GetParam()), seed, held);
  for (const char* name : {"q", "k", "v"})
    EXPECT_GE(held[name].all, static_cast<int>(problems()) / 2) << name;
  EXPECT_TRUE(is_linear() || held["q"].with_order + held["k"].with_order >= 3);
  if (problems() < 80) return;
  for (const char* name : {"bias", "sink", "slope", "scale"}) EXPECT_GE(held[name].all, 8) << name;
}

INSTANTIATE_TEST_SUITE_P(every, member_gradient, testing::ValuesIn(members()),
                         [](const auto& each) {
                           std::string name = each.param.substr(1);
                           std::replace(name.begin(), name.end(), '=', '_');
                           return name;
                         });

// The logit of a masked key is -cap, whatever its score and its bias.
TEST(capped_masks, have_the_gradient_of_a_constant) {
  counts held;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const std::string bias = seed % 3 == 0 ? " bias=qk infinite_bias=1" : "";
    const problem_spec spec = parse_problem_line(
        "Hq=2 Lq=2 Lk=3 D=2 Dv=2 dtype=f16 profile=attest,cap_order=after_mask soft_cap=5 mask=qk" +
        bias + " seed=" + std::to_string(seed));
    expect_agreement(with_coarse_numbers(materialise(spec)), seed, held);
  }
}

}  // namespace
}  // namespace attest
