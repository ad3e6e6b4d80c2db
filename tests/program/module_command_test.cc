// attest module on files: teaching-style heads and multi-head modules, right, wrong and malformed.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "properties/dump/module_dump.h"
#include "properties/exchange/array_file.h"
#include "reference/formats/rounding.h"
#include "reference/random.h"
#include "tests/program/expectations.h"

namespace attest {
namespace {

using words = std::vector<std::string>;
using sizes = std::vector<std::int64_t>;

array drawn(std::uint64_t stream, const sizes& of) {
  array a{&f32, of, {}};
  std::uint64_t count = 1;
  for (const std::int64_t size : of) count *= static_cast<std::uint64_t>(size);
  for (std::uint64_t n = 0; n < count; ++n)
    a.values.push_back(round_to(f32, {}, random_normal(11, stream, n) / 2));
  return a;
}

array transposed(const array& a) {
  array t{a.element, {a.sizes[1], a.sizes[0]}, std::vector<double>(a.values.size())};
  for (std::int64_t i = 0; i < a.sizes[0]; ++i)
    for (std::int64_t j = 0; j < a.sizes[1]; ++j)
      t.values[static_cast<std::size_t>(j * a.sizes[0] + i)] =
          a.values[static_cast<std::size_t>(i * a.sizes[1] + j)];
  return t;
}

// The output that the definition gives in float.
void solve(named_arrays& a, const module_reading& how) {
  const std::string where = "test";
  named_arrays open = a;
  sizes due = a.at("x").sizes;
  due.back() = a.contains("w_o") ? a.at("w_o").sizes[how.outputs_first ? 0 : 1]
                                 : a.at("w_v").sizes[how.outputs_first ? 0 : 1];
  std::int64_t count = 1;
  for (const std::int64_t size : due) count *= size;
  open["o"] = {&f32, due, std::vector<double>(static_cast<std::size_t>(count))};
  const module_dump d = to_module_dump(open, how, where);
  const evaluated_module<float> evaluated(d.module);
  array o{&f32, due, {}};
  for (std::int64_t b = 0; b < d.module.x.sizes()[0]; ++b)
    for (std::int64_t t = 0; t < d.module.x.sizes()[2]; ++t)
      for (const float y : evaluated.at(b, t)) o.values.push_back(static_cast<double>(y));
  a["o"] = o;
}

named_arrays head() {
  return {{"x", drawn(1, {2, 5, 6})},
          {"w_q", drawn(2, {6, 4})},
          {"w_k", drawn(3, {6, 4})},
          {"w_v", drawn(4, {6, 4})}};
}

named_arrays multi_head() {
  return {{"x", drawn(1, {2, 5, 8})}, {"w_q", drawn(2, {8, 8})}, {"w_k", drawn(3, {8, 8})},
          {"w_v", drawn(4, {8, 8})},  {"w_o", drawn(5, {8, 8})}, {"b_o", drawn(6, {8})}};
}

words line_for(const named_arrays& a, const words& more = {}) {
  write_arrays(scratch_file("module.npz"), a);
  words line{"module", "--in", scratch_file("module.npz")};
  line.insert(line.end(), more.begin(), more.end());
  return line;
}

TEST(module_command, a_right_head_holds) {
  named_arrays a = head();
  solve(a, {});
  expect_exit(0, line_for(a), {"B=2 T=5 C=6 H=1 Hkv=1 D=4 Dv=4, causal", "holds: 40 elements"});
  named_arrays all = head();
  solve(all, {.causal = false});
  expect_exit(0, line_for(all, {"--bidirectional"}), {"every key", "holds"});
  expect_exit(1, line_for(all), {"violated"});
}

TEST(module_command, heads_of_one_matrix_or_of_one_each_are_the_same) {
  named_arrays a = multi_head();
  solve(a, {.heads = 2});
  expect_exit(0, line_for(a, {"--heads", "2"}), {"H=2 Hkv=2 D=4", "projected to 8", "holds: 80"});
  expect_exit(1, line_for(a, {"--heads", "4"}), {"violated"});
  for (const char* name : {"w_q", "w_k", "w_v"}) {
    const array whole = a.at(name);
    array each{&f32, {2, 8, 4}, {}};
    for (std::size_t h = 0; h < 2; ++h)
      for (std::size_t c = 0; c < 8; ++c)
        for (std::size_t d = 0; d < 4; ++d) each.values.push_back(whole.values[c * 8 + h * 4 + d]);
    a[name] = each;
  }
  expect_exit(0, line_for(a, {"--heads", "2"}), {"holds: 80"});
}

TEST(module_command, matrices_may_have_outputs_first) {
  named_arrays a = multi_head();
  solve(a, {.heads = 4, .scale = 0.25});
  for (const char* name : {"w_q", "w_k", "w_v", "w_o"}) a[name] = transposed(a.at(name));
  const words options{"--heads", "4", "--scale", "0.25", "--weights", "out_in"};
  expect_exit(0, line_for(a, options), {"holds"});
  expect_exit(1, line_for(a, {"--heads", "4", "--scale", "0.25"}), {"violated"});
}

TEST(module_command, what_is_wrong_is_located) {
  named_arrays a = multi_head();
  solve(a, {.heads = 2});
  a["o"].values[42] += 0.01;
  expect_exit(1, line_for(a, {"--heads", "2"}), {"violated", "o[b=1,t=0,c=2]"});
}

TEST(module_command, what_does_not_fit_is_refused) {
  named_arrays right = multi_head();
  solve(right, {.heads = 2});
  const auto refused = [&](const std::function<void(named_arrays&)>& change, const words& parts,
                           const words& more = {"--heads", "2"}) {
    named_arrays a = right;
    change(a);
    expect_bad_input(line_for(a, more), parts);
  };
  refused([](named_arrays& a) { a.erase("w_v"); }, {"w_v is missing"});
  refused([](named_arrays& a) { a["w_z"] = a["w_v"]; }, {"an array named 'w_z'"});
  refused([](named_arrays&) {}, {"w_q has 8 columns for 3 heads"}, {"--heads", "3"});
  refused([](named_arrays&) {}, {"--heads: 2 for 3 KV heads"}, {"--heads", "2", "--kv-heads", "3"});
  refused([](named_arrays& a) { a.erase("w_o"); }, {"b_o is given without w_o"});
  refused(
      [](named_arrays& a) {
        a["o"].sizes = {5, 2, 8};
      },
      {"o has sizes [5, 2, 8]", "[2, 5, 8]"});
  refused([](named_arrays& a) { a["x"].values[0] = INFINITY; }, {"x holds a number that is not"});
}

}  // namespace
}  // namespace attest
