// Every member, by the definition and by other algorithms, in numbers of each size, stays within
// the bound that is derived from its contract.
#include <gtest/gtest.h>

#include <iostream>

#include "reference/backends/answer.h"
#include "reference/backends/defined.h"
#include "reference/contract/presets.h"
#include "tests/derivation/error_ratio.h"
#include "tests/derivation/other_ways.h"
#include "tests/derivation/rounded_number.h"
#include "tests/reference/backends/random_spec.h"
#include "tests/reference/members.h"

namespace attest {
namespace {

constexpr int problems = 12;

using half = rounded_number<f16>;

double value_of(double x) { return x; }
double value_of(float x) { return static_cast<double>(x); }
double value_of(const half& x) { return x.value(); }

problem problem_of(const std::string& member, std::uint64_t seed, const format& inputs) {
  problem_spec spec = random_spec(seed, inputs);
  spec.dims.batch = 1;
  spec.dims.keys = std::min<std::int64_t>(spec.dims.keys, 23);
  spec.profile += "," + member;
  if (member.find("softmax") == std::string::npos) spec.sink = false;
  return materialise(spec);
}

template <Number T>
void evaluate(const problem& p, const row_index& row, bool other_way, int steps, tensor& o) {
  const std::vector<T> output = other_way && !p.rules.is_softmax() && !key_set(p, row).empty()
                                    ? other_row<T>(p, row, steps)
                                    : attention<T>(p, row).output;
  for (std::size_t d = 0; d < output.size(); ++d) store(o, row, d, value_of(output[d]));
}

struct number_case {
  std::string_view contract;
  const format* inputs;
  int steps;  // of a bisection
  void (*evaluate)(const problem&, const row_index&, bool other_way, int steps, tensor& o);
};

const number_case numbers[] = {{"float64", &f64, 60, evaluate<double>},
                               {"float32", &f32, 40, evaluate<float>},
                               {"fp16-accumulate", &f16, 14, evaluate<half>}};

class member_in_numbers : public testing::TestWithParam<std::string> {};

TEST_P(member_in_numbers, stays_within_its_bound) {
  for (const number_case& c : numbers) {
    const contract& keeps = find_contract(c.contract);
    worst_ratio worst;
    for (std::uint64_t seed = 1; seed <= problems; ++seed) {
      const problem p = problem_of(GetParam(), seed, *c.inputs);
      for_each_row(p.dims, [&](const row_index& place) {
        const exact_row exact = compute_exact_row(p, place);
        for (const bool other_way : {false, true}) {
          tensor o(*c.inputs, attest::place(layout::bhld, p.dims.o_sizes()), 0);
          c.evaluate(p, place, other_way, c.steps, o);
          measure_output({keeps, p, place, exact}, o,
                         GetParam() + " seed " + std::to_string(seed) + (other_way ? " other" : ""),
                         worst);
        }
      });
    }
    EXPECT_LE(worst.ratio, 1) << c.contract << ": " << worst.where;
    // Few rows fit the range of a small format, and few vectors have features above underflow.
    const bool few = *c.inputs == f16 || GetParam().find("exp_features") != std::string::npos;
    EXPECT_GT(worst.rows, few ? 0 : 2 * worst.outside) << c.contract;
    std::cout << GetParam() << ' ' << c.contract << ": " << worst.ratio << " over " << worst.rows
              << " rows (" << worst.outside << " out of domain, " << worst.undecided
              << " elements undecided)\n";
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name;
  for (char c : info.param) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(every, member_in_numbers, testing::ValuesIn(every_member()), test_name);

}  // namespace
}  // namespace attest
