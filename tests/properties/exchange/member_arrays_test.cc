// The matrices of a scorer among the arrays of a file.
#include <gtest/gtest.h>

#include "properties/exchange/array_problem.h"
#include "reference/input_error.h"
#include "reference/problems/parameters.h"
#include "reference/problems/problem_spec.h"

namespace attest {
namespace {

array to_plain_array(const tensor& t) {
  array a{&t.element(), {t.sizes().begin(), t.sizes().end()}, {}};
  for_each_index(t.sizes(), [&](const index4& i) { a.values.push_back(t.at(i)); });
  return a;
}

found_arrays arrays_of(const problem& p) {
  found_arrays found{{"q", {to_plain_array(p.q), "q"}},
                     {"k", {to_plain_array(p.k), "k"}},
                     {"v", {to_plain_array(p.v), "v"}}};
  for (std::size_t n = 0; n < p.parameters.size(); ++n) {
    const std::string name = "parameter_" + std::to_string(n);
    found[name] = {to_plain_array(p.parameters[n]), name};
  }
  return found;
}

problem drawn() {
  return materialise(
      parse_problem_line("Hq=2 Lq=3 Lk=4 D=5 Dv=2 profile=attest,scorer=mlp seed=3"));
}

problem read(const found_arrays& found, const semantics& rules) {
  problem p = to_problem(found).posed;
  p.rules = rules;
  require_parameters(p);
  return p;
}

TEST(to_problem, reads_a_matrix_for_each_head) {
  const problem p = drawn(), back = read(arrays_of(p), p.rules);
  ASSERT_EQ(back.parameters.size(), 4u);
  for (std::size_t n = 0; n < 4; ++n)
    for_each_index(p.parameters[n].sizes(), [&](const index4& i) {
      EXPECT_EQ(back.parameters[n].at(i), p.parameters[n].at(i)) << n;
    });
}

TEST(to_problem, reads_a_matrix_for_all_heads) {
  const problem p = drawn();
  found_arrays found = arrays_of(p);
  array& w = found.at("parameter_0").held;
  w.values.resize(w.values.size() / 2);
  w.sizes.erase(w.sizes.begin(), w.sizes.begin() + 2);
  const problem back = read(found, p.rules);
  for (std::int64_t c = 0; c < 10; ++c)
    EXPECT_EQ(back.parameters[0].at(0, 1, 0, c), p.parameters[0].at(0, 0, 0, c));
}

TEST(to_problem, refuses_matrices_that_do_not_fit) {
  const problem p = drawn();
  found_arrays found = arrays_of(p);
  found.erase("parameter_2");
  EXPECT_THROW(read(found, p.rules), input_error);
  found = arrays_of(p);
  found.at("parameter_1").held.sizes[1] = 1;
  found.at("parameter_1").held.sizes[2] = 2;
  EXPECT_THROW(read(found, p.rules), input_error);
  EXPECT_THROW(read(arrays_of(p), {}), input_error) << "scaled_dot has none";
}

}  // namespace
}  // namespace attest
