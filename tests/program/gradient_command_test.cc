// attest gradient on files: right gradients, wrong ones of every kind, and malformed files.
#include <gtest/gtest.h>

#include <functional>

#include "properties/exchange/array_file.h"
#include "reference/definition/gradient.h"
#include "reference/formats/rounding.h"
#include "reference/problems/problem_spec.h"
#include "reference/random.h"
#include "tests/program/expectations.h"

namespace attest {
namespace {

using words = std::vector<std::string>;
using sizes = std::vector<std::int64_t>;

// Without the axes' repetitions of what is broadcast.
array to_array(const tensor& t) {
  const index4 own = own_sizes(t);
  array a{&t.element(), {own.begin(), own.end()}, {}};
  for_each_index(own, [&](const index4& i) { a.values.push_back(t.at(i)); });
  return a;
}

array to_array(const array4<float>& g, const format& f) {
  array a{&f, {g.sizes().begin(), g.sizes().end()}, {}};
  for (const float x : g.values()) a.values.push_back(round_to(f, {}, static_cast<double>(x)));
  return a;
}

array to_array(const std::vector<double>& values) {
  return {&f32, {static_cast<std::int64_t>(values.size())}, values};
}

cotangents drawn_cotangents(const problem& p) {
  cotangents given{tensor(p.q.element(), place(layout::bhld, p.dims.o_sizes()), 0), {}};
  std::uint64_t n = 0;
  for_each_index(p.dims.o_sizes(), [&](const index4& i) {
    given.o.set(i, round_to(p.q.element(), {}, random_normal(3, 1, n++)));
  });
  return given;
}

struct backward {
  problem posed;
  cotangents given;
  named_arrays arrays;  // without gradients
};

backward posed(const std::string& line) {
  backward b{materialise(parse_problem_line(line)), {}, {}};
  const problem& p = b.posed;
  b.given = drawn_cotangents(p);
  b.arrays = {{"q", to_array(p.q)},
              {"k", to_array(p.k)},
              {"v", to_array(p.v)},
              {"do", to_array(b.given.o)}};
  if (p.bias) b.arrays["bias"] = to_array(*p.bias);
  if (!p.sink.empty()) b.arrays["sink"] = to_array(p.sink);
  if (!p.slopes.empty()) b.arrays["slopes"] = to_array(p.slopes);
  return b;
}

// With the gradients that the definition gives in float, rounded to the format of the inputs.
named_arrays solved(const backward& b, const problem& as_read) {
  const attention_gradient<float> g = gradient_of<float>(as_read, b.given);
  const format& f = b.posed.q.element();
  named_arrays all = b.arrays;
  all["dq"] = to_array(g.scored.q, f);
  all["dk"] = to_array(g.scored.k, f);
  all["dv"] = to_array(g.v, f);
  if (!g.bias.empty()) all["dbias"] = to_array(g.bias, b.posed.bias->element());
  if (!g.sink.empty()) all["dsink"] = to_array({g.sink.begin(), g.sink.end()});
  if (!g.slopes.empty()) all["dslopes"] = to_array({g.slopes.begin(), g.slopes.end()});
  return all;
}
named_arrays solved(const backward& b) { return solved(b, b.posed); }

words line_for(const named_arrays& a, const words& more = {}) {
  write_arrays(scratch_file("gradient.npz"), a);
  words line{"gradient", "--in", scratch_file("gradient.npz")};
  line.insert(line.end(), more.begin(), more.end());
  return line;
}

constexpr const char* usual =
    "B=2 Hq=4 Hkv=2 Lq=6 Lk=9 D=8 Dv=5 causal=bottom_right window=6,-1 bias=qk sink=1 seed=5";
const words usual_reading{"--causal", "bottom_right", "--window", "6,-1"};

TEST(gradient_command, right_gradients_hold) {
  expect_exit(0, line_for(solved(posed(usual)), usual_reading),
              {"B=2 Hq=4 Hkv=2 Lq=6 Lk=9 D=8 Dv=5", "dbias, dk, dq, dsink, dv of do",
               "float32 (the default of q's type)", "holds", "0 undecided"});
  expect_exit(0, line_for(solved(posed("Hq=2 Hkv=2 Lq=5 Lk=7 D=4 Dv=4 dtype=f16 seed=2"))),
              {"fp16-flash", "holds"});
  expect_exit(0,
              line_for(solved(posed("Lq=3 Lk=5 D=4 Dv=4 soft_cap=5 scale=0.5 seed=2")),
                       {"--soft-cap", "5", "--scale", "0.5"}),
              {"holds"});
}

TEST(gradient_command, slopes_have_gradients) {
  const backward b = posed("Hq=2 Hkv=1 Lq=5 Lk=5 D=4 Dv=4 causal=top_left alibi=1 seed=8");
  named_arrays a = solved(b);
  expect_exit(0, line_for(a, {"--causal", "top_left"}), {"dslopes", "holds", "0 undecided"});
  a["dslopes"].values[1] *= 1.01;
  expect_exit(1, line_for(a, {"--causal", "top_left"}), {"violated", "dslopes[0,1,0,0]"});
}

// What is wrong is done to the problem that the gradients are of, or to the gradients.
struct wrong_pass {
  const char* what;
  std::function<void(problem&)> problem_of = [](problem&) {};
  std::function<void(named_arrays&)> gradients = [](named_arrays&) {};
};

TEST(gradient_command, wrong_gradients_are_violated) {
  const wrong_pass passes[] = {
      {"no causal mask", [](problem& p) { p.causal = causal_anchor::none; }},
      {"the other corner", [](problem& p) { p.causal = causal_anchor::top_left; }},
      {"no window", [](problem& p) { p.sliding = {}; }},
      {"no bias", [](problem& p) { p.bias.reset(); }},
      {"no sink", [](problem& p) { p.sink.clear(); }},
      {"the scale left out", [](problem& p) { p.scale = 1; }},
      {"the other head map", [](problem& p) { p.rules.heads = head_map::tile; }},
      {"zeros", {}, [](named_arrays& a) { a["dq"].values.assign(a["dq"].values.size(), 0); }},
      {"one head of a group",
       {},
       [](named_arrays& a) {
         for (double& x : a["dv"].values) x /= 2;
       }},
      {"a sign",
       {},
       [](named_arrays& a) {
         for (double& x : a["dsink"].values) x = -x;
       }},
      {"an element", {}, [](named_arrays& a) { a["dbias"].values[7] += 1e-4; }},
      {"NaN", {}, [](named_arrays& a) { a["dk"].values[3] = std::nan(""); }},
  };
  const backward b = posed(usual);
  for (const wrong_pass& pass : passes) {
    SCOPED_TRACE(pass.what);
    problem read = b.posed;
    if (pass.problem_of) pass.problem_of(read);
    named_arrays a = solved(b, read);
    if (pass.gradients) pass.gradients(a);
    expect_exit(1, line_for(a, usual_reading), {"violated"});
  }
}

// What the backward pass was given of the forward is taken as it is.
TEST(gradient_command, an_output_that_was_given_may_be_rounded) {
  backward b = posed("Lq=4 Lk=6 D=4 Dv=4 seed=9");
  named_arrays a = solved(b);
  tensor o(f32, place(layout::bhld, b.posed.dims.o_sizes()), 0);
  row_index at;
  for (at.i = 0; at.i < 4; ++at.i) {
    const attention_row<double> row = attention<double>(b.posed, at);
    for (std::size_t d = 0; d < row.output.size(); ++d)
      o.set({0, 0, at.i, static_cast<std::int64_t>(d)}, round_to(f32, {}, row.output[d]));
  }
  a["o"] = to_array(o);
  expect_exit(0, line_for(a), {"of do, o as stored", "holds"});
  for (double& x : a["o"].values) x += 100;
  expect_exit(3, line_for(a), {"undecided"});
}

// A NaN row makes NaN of what it meets; nothing is said of that.
TEST(gradient_command, rows_without_keys_add_nothing_or_nan) {
  const backward b = posed("Lq=5 Lk=3 D=4 Dv=4 causal=bottom_right profile=torch-sdpa seed=4");
  named_arrays a = solved(b);
  const words reading{"--causal", "bottom_right", "--profile", "torch-sdpa"};
  expect_exit(0, line_for(a, reading), {"holds"});
  a["dk"].values[0] = std::nan("");
  expect_exit(3, line_for(a, reading), {"holds", "1 undecided"});
}

TEST(gradient_command, refuses_what_is_no_backward_pass) {
  const named_arrays right = solved(posed("Lq=2 Lk=3 D=2 Dv=2 seed=1"));
  const auto without = [&](const words& names) {
    named_arrays a = right;
    for (const std::string& name : names) a.erase(name);
    return line_for(a);
  };
  expect_bad_input(without({"do"}), {"no array named do"});
  expect_bad_input(without({"dq", "dk", "dv"}),
                   {"no gradient", "dq, dk, dv, dbias, dsink, dslopes"});
  named_arrays a = right;
  a["dbias"] = a["dq"];
  expect_bad_input(line_for(a), {"dbias without a bias"});
  a = right;
  a["dsink"] = {&f32, {1}, {0}};
  expect_bad_input(line_for(a), {"dsink without sink (allowed: beside an array named sink)"});
  a = right;
  a["dv"].sizes = {1, 1, 2, 3};
  expect_bad_input(line_for(a), {"dv has sizes", "allowed"});
  a = right;
  a["do"].values[0] = std::nan("");
  expect_bad_input(line_for(a), {"do holds nan", "finite"});
  a = right;
  a["gradient"] = a["dq"];
  expect_bad_input(line_for(a), {"'gradient'", "dsink"});
  expect_bad_input(line_for(right, {"--profile", "attest,normalizer=sparsemax"}),
                   {"softmax of products"});
}

}  // namespace
}  // namespace attest
