// Backward passes as unlucky as a contract allows stay within the bound of their gradients, and
// come near it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "derivation/bounds/gradient.h"
#include "reference/backends/answer.h"
#include "reference/contract/presets.h"
#include "reference/random.h"
#include "tests/derivation/backward_pass.h"
#include "tests/derivation/error_ratio.h"
#include "tests/derivation/rounded_number.h"
#include "tests/reference/backends/random_spec.h"

namespace attest {
namespace {

std::uint64_t problems() {
  const char* const given = std::getenv("ATTEST_TEST_PROBLEMS");
  return given ? std::strtoull(given, nullptr, 10) : 80;  // seed 77 broke an earlier bound
}

constexpr std::uint64_t passes = 8;  // of each problem

tensor drawn(std::uint64_t seed, const format& f, const index4& sizes) {
  tensor t(f, place(layout::bhld, sizes), 0);
  std::uint64_t n = 0;
  for_each_index(sizes, [&](const index4& i) {
    const double x = random_normal(seed, 77, n++);
    t.set(i, i[2] % 4 == 3 ? 0 : round_to(f, {}, x));  // some rows give nothing
  });
  return t;
}

// Some of few keys, some of many rows to a key.
problem_spec spec_of(std::uint64_t seed, const format& inputs) {
  problem_spec spec = any_spec(seed, inputs);
  if (seed % 3 == 0)
    spec.dims.keys = std::min(spec.dims.keys, 1 + static_cast<std::int64_t>(seed % 4));
  if (seed % 8 == 5) spec.dims.queries = 40;
  return spec;
}

// A problem with its exact rows and gradients.
struct solved_problem {
  explicit solved_problem(const problem_spec& s) : spec(s), p(materialise(s)) {
    given.o = drawn(s.seed, *s.inputs, p.dims.o_sizes());
    if (s.seed % 2 == 1) given.lse = drawn(~s.seed, f32, p.dims.lse_sizes());
    for_each_row(p.dims, [&](const row_index& row) {
      places.push_back(row);
      rows.push_back(compute_exact_row(p, row));
    });
    exact = gradient_of<double>(p, given);
  }

  problem_spec spec;
  problem p;
  cotangents given;
  std::vector<row_index> places;
  std::vector<exact_row> rows;
  attention_gradient<double> exact;
};

// What o and lse may be off by, and the bound that follows.
struct bounded_problem {
  bounded_problem(const contract& c, const solved_problem& solved, bool saved_by_own_forward)
      : bound(c, solved.p, solved.given) {
    for (std::size_t n = 0; n < solved.rows.size(); ++n) {
      const exact_row& row = solved.rows[n];
      const row_index& place = solved.places[n];
      saved.push_back(saved_by_own_forward
                          ? saved_by_forward(solved.p, row, forward_bound(c, solved.p, place, row))
                          : saved_by_rounding(c, row));
      bound.add(place, row, saved.back());
    }
  }

  std::vector<saved_error> saved;
  gradient_bound bound;
};

struct ratios {
  worst_ratio q, k, v, bias, sink, slope;
  std::vector<double> of_passes;  // the largest of each, of dq and dk
  std::int64_t judged = 0, unbounded = 0;

  void join(const ratios& x) {
    q.meet(x.q.ratio, x.q.where);
    k.meet(x.k.ratio, x.k.where);
    v.meet(x.v.ratio, x.v.where);
    bias.meet(x.bias.ratio, x.bias.where);
    sink.meet(x.sink.ratio, x.sink.where);
    slope.meet(x.slope.ratio, x.slope.where);
    of_passes.push_back(std::max(x.q.ratio, x.k.ratio));
    judged += x.judged;
    unbounded += x.unbounded;
  }
  double median() const {
    std::vector<double> sorted = of_passes;
    std::sort(sorted.begin(), sorted.end());
    return sorted.empty() ? 0 : sorted[sorted.size() / 2];
  }
};

// An infinity is right where the bound reaches past the largest number.
bool may_be(double observed, double exact, double bound, const format& stored) {
  return std::isinf(observed) && std::fabs(exact) + bound >= largest_finite(stored);
}

void meet(ratios& all, worst_ratio& worst, double exact, double observed, double bound,
          const std::string& where, const format& stored) {
  if (std::isinf(bound)) {
    ++all.unbounded;
    return;
  }
  ++all.judged;
  if (may_be(observed, exact, bound, stored)) return;
  const double error = std::fabs(observed - exact);
  worst.meet(error == 0 ? 0 : std::isnan(error) ? INFINITY : error / bound, where);
}

void meet_all(const solved_problem& solved, const gradient_bound& bound,
              const attention_gradient<double>& made, bool has_parameters, const std::string& where,
              ratios& all) {
  const attention_gradient<double>& exact = solved.exact;
  const format& stored = *solved.spec.inputs;
  for_each_index(made.scored.q.sizes(), [&](const index4& i) {
    meet(all, all.q, exact.scored.q.at(i), made.scored.q.at(i), bound.q(i), where, stored);
  });
  for_each_index(made.scored.k.sizes(), [&](const index4& i) {
    meet(all, all.k, exact.scored.k.at(i), made.scored.k.at(i), bound.k(i), where, stored);
  });
  for_each_index(made.v.sizes(), [&](const index4& i) {
    meet(all, all.v, exact.v.at(i), made.v.at(i), bound.v(i), where, stored);
  });
  if (!has_parameters) return;
  for_each_index(made.bias.sizes(), [&](const index4& i) {
    meet(all, all.bias, exact.bias.at(i), made.bias.at(i), bound.bias(i), where, stored);
  });
  for (std::size_t h = 0; h < made.sink.size(); ++h)
    meet(all, all.sink, exact.sink[h], made.sink[h], bound.sink(static_cast<std::int64_t>(h)),
         where, stored);
  for (std::size_t h = 0; h < made.slopes.size(); ++h)
    meet(all, all.slope, exact.slopes[h], made.slopes[h], bound.slope(static_cast<std::int64_t>(h)),
         where, stored);
}

void measure(const solved_problem& solved, const contract& c, const bounded_problem& bounded,
             const backward_plan& plan, ratios& all) {
  const attention_gradient<double> made =
      unlucky_backward({c, solved.p, solved.given, solved.rows, bounded.saved}, plan);
  meet_all(solved, bounded.bound, made, gives_parameters(plan),
           to_line(solved.spec) + " plan " + std::to_string(plan.seed), all);
}

void measure_problem(const problem_spec& spec, const contract& c, ratios& all) {
  const solved_problem solved(spec);
  const bounded_problem by_forward(c, solved, true), by_rounding(c, solved, false);
  for (std::uint64_t n = 0; n < passes; ++n) {
    const backward_plan plan = draw_backward_plan(c, passes * spec.seed + n);
    ratios of_pass;
    measure(solved, c, plan.saved_by_forward ? by_forward : by_rounding, plan, of_pass);
    all.join(of_pass);
  }
}

void expect_held(const std::string& name, const ratios& all) {
  std::cout << name << ": dq " << all.q.ratio << ", dk " << all.k.ratio << ", dv " << all.v.ratio
            << ", dbias " << all.bias.ratio << ", dsink " << all.sink.ratio << ", dslope "
            << all.slope.ratio << " of the bound, half of all passes at " << all.median()
            << " and more, over " << all.judged << " elements (" << all.unbounded
            << " without a bound)\n";
  for (const worst_ratio* worst : {&all.q, &all.k, &all.v, &all.bias, &all.sink, &all.slope})
    EXPECT_LE(worst->ratio, 1) << name << ": " << worst->where;
  EXPECT_GT(all.judged, all.unbounded);
}

class gradients_within_bound : public testing::TestWithParam<std::string> {};

TEST_P(gradients_within_bound, whatever_the_luck) {
  const contract& c = find_contract(GetParam());
  ratios all;
  for (std::uint64_t seed = 0; seed < problems(); ++seed)
    measure_problem(spec_of(seed, *c.inputs), c, all);
  expect_held(c.name, all);
  for (const worst_ratio* worst : {&all.q, &all.k, &all.v}) EXPECT_GE(worst->ratio, 0.1);
}

constexpr rounding_mode modes[] = {rounding_mode::up, rounding_mode::down, rounding_mode::to_zero,
                                   rounding_mode::stochastic};

// Every stage to one side, and some parts stored in another format.
contract unusual(contract c, std::uint64_t seed) {
  for (stage* s : {&c.score_sum, &c.score_storage, &c.bias_sum, &c.exponent, &c.weight_storage,
                   &c.output_sum, &c.weight_sum, &c.partial_storage}) {
    s->mode = modes[seed % 4];
    s->subnormals = static_cast<subnormal_mode>(seed / 4 % 2);
  }
  c.output_mode = modes[seed % 4];
  if (seed % 3 == 0) c.partial_storage.number = &bf16;
  return c;
}

TEST_P(gradients_within_bound, whatever_the_rounding) {
  const contract& c = find_contract(GetParam());
  ratios all;
  for (std::uint64_t seed = 0; seed < problems(); ++seed)
    measure_problem(spec_of(seed, *c.inputs), unusual(c, seed), all);
  expect_held(c.name + " in any rounding", all);
}

INSTANTIATE_TEST_SUITE_P(contracts, gradients_within_bound,
                         testing::Values("float32", "tf32", "fp16-flash", "fp16-eager",
                                         "fp16-accumulate", "bf16-flash", "bf16-eager"),
                         [](const testing::TestParamInfo<std::string>& contract_name) {
                           std::string name = contract_name.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// --- The definition itself, in short numbers ---

double value_of(float x) { return static_cast<double>(x); }
double value_of(const rounded_number<f16>& x) { return x.value(); }

template <class T>
attention_gradient<double> in_doubles(const attention_gradient<T>& made, const problem& p) {
  attention_gradient<double> result = no_gradient<double>(p);
  const auto copy = [](const array4<T>& from, array4<double>& to) {
    if (from.empty()) return;
    for_each_index(from.sizes(), [&](const index4& i) { to.set(i, value_of(from.at(i))); });
  };
  copy(made.scored.q, result.scored.q);
  copy(made.scored.k, result.scored.k);
  copy(made.v, result.v);
  copy(made.bias, result.bias);
  for (std::size_t h = 0; h < made.sink.size(); ++h) result.sink[h] = value_of(made.sink[h]);
  for (std::size_t h = 0; h < made.slopes.size(); ++h) result.slopes[h] = value_of(made.slopes[h]);
  return result;
}

template <class T>
void expect_definition_held(const contract& c) {
  ratios all;
  for (std::uint64_t seed = 0; seed < problems(); ++seed) {
    const solved_problem solved(spec_of(seed, *c.inputs));
    const bounded_problem bounded(c, solved, true);
    ratios of_problem;
    meet_all(solved, bounded.bound, in_doubles(gradient_of<T>(solved.p, solved.given), solved.p),
             true, to_line(solved.spec), of_problem);
    all.join(of_problem);
  }
  expect_held("the definition under " + c.name, all);
}

TEST(gradients_of_the_definition, are_within_the_bound) {
  expect_definition_held<float>(find_contract("float32"));
  expect_definition_held<rounded_number<f16>>(find_contract("fp16-accumulate"));
}

// --- Each term of the bound is needed ---

// float32 without what it leaves open, where one stage is coarse: then the terms of that stage are
// all that the bound consists of.
contract plain(const std::string& name) {
  contract c = find_contract("float32");
  c.name = "coarse " + name;
  c.q_conversion = c.k_conversion = {};
  c.exponent_constants = 0;
  c.exp_ulps = c.rescale_ulps = c.division_ulps = 0.5;
  c.may_fold_scale = c.may_rescale = c.may_sum_rounded_weights = c.may_normalise_weights = false;
  c.merges = 0;
  return c;
}

std::vector<contract> coarse_contracts() {
  std::vector<contract> all;
  const auto add = [&](const std::string& name, auto change) {
    all.push_back(plain(name));
    change(all.back());
  };
  add("score_sum", [](contract& c) { c.score_sum.number = c.score_storage.number = &bf16; });
  add("score_storage", [](contract& c) { c.score_storage.number = &bf16; });
  add("exponent", [](contract& c) { c.exponent.number = &bf16; });
  add("folded exponent", [](contract& c) {
    c.exponent.number = &bf16;
    c.exponent_constants = 1;
    c.may_fold_scale = true;
  });
  add("weight_storage", [](contract& c) { c.weight_storage.number = &bf16; });
  add("normalised weights", [](contract& c) {
    c.weight_storage.number = &bf16;
    c.may_normalise_weights = true;
  });
  add("output_sum", [](contract& c) { c.output_sum.number = &bf16; });
  add("weight_sum", [](contract& c) { c.weight_sum.number = &bf16; });
  add("conversions", [](contract& c) {
    c.q_conversion = c.k_conversion = c.v_conversion = {{&bf16}, 1};
  });
  add("lse", [](contract& c) { c.lse = &bf16; });
  add("tanh", [](contract& c) { c.tanh_error = 1.0 / 256; });
  return all;
}

// Scores near 0, so that they are never off by much; few keys, often one.
problem_spec flat_spec(std::uint64_t seed) {
  problem_spec spec = spec_of(seed, f32);
  if (seed % 4 != 3) spec.regime = value_regime::normal;
  if (seed % 2 == 0) spec.scale = 0x1p-12;
  if (seed % 2 == 0) spec.bias_axes.reset();
  spec.infinite_bias = spec.infinite_bias && spec.bias_axes;
  spec.alibi = spec.alibi && seed % 2 == 1;
  spec.dims.keys = 1 + static_cast<std::int64_t>(seed % 5);
  spec.dims.value_width = 1 + static_cast<std::int64_t>(seed % 7) * 3;
  if (seed % 6 == 1) {  // where tanh is near 1
    spec.soft_cap = 0.5;
    spec.scale = 4;
  }
  if (seed % 6 == 3) {  // a large lse that leaves out the sink
    spec.regime = value_regime::constant;
    spec.profile = "attest,lse_sink=left_out";
    spec.sink = true;
    spec.scale = 64;
    spec.soft_cap = 0;
  }
  return spec;
}

TEST(one_coarse_stage, is_within_the_bound_and_near_it) {
  for (const contract& c : coarse_contracts()) {
    ratios all;
    for (std::uint64_t seed = 0; seed < problems(); ++seed)
      measure_problem(flat_spec(seed), c, all);
    expect_held(c.name, all);
    EXPECT_GE(std::max({all.q.ratio, all.k.ratio, all.v.ratio}), 0.5);
  }
}

// --- What is exact, what is noise and where the domain ends ---

TEST(gradient_bound, what_nothing_is_added_to_is_exact) {
  const contract& c = find_contract("fp16-flash");
  const solved_problem solved(
      parse_problem_line("B=1 Hq=2 Hkv=1 Lq=6 Lk=4 D=3 Dv=2 dtype=f16 causal=bottom_right seed=2"));
  const bounded_problem bounded(c, solved, true);
  int empty = 0;
  for (std::size_t n = 0; n < solved.rows.size(); ++n) {
    const row_index& at = solved.places[n];
    if (!solved.rows[n].empty()) continue;
    ++empty;
    for (std::int64_t t = 0; t < 3; ++t) EXPECT_EQ(bounded.bound.q({at.b, at.h, at.i, t}), 0);
  }
  EXPECT_EQ(empty, 4);
}

TEST(gradient_bound, keys_that_no_row_sees_are_exact) {
  const contract& c = find_contract("float32");
  const solved_problem solved(
      parse_problem_line("B=1 Hq=1 Hkv=1 Lq=2 Lk=5 D=3 Dv=2 causal=top_left seed=3"));
  const bounded_problem bounded(c, solved, true);
  for (std::int64_t j = 0; j < 5; ++j)
    for (std::int64_t t = 0; t < 2; ++t) {
      EXPECT_EQ(bounded.bound.k({0, 0, j, t}) == 0, j > 1);
      EXPECT_EQ(bounded.bound.v({0, 0, j, t}) == 0, j > 1);
    }
}

// x - D is the difference of two equal sums: the exact gradients are 0, what is computed is not,
// and the bound is of the size of an ulp of the sums.
TEST(gradient_bound, one_key_leaves_noise) {
  const contract& c = find_contract("float32");
  const solved_problem solved(parse_problem_line("B=1 Hq=1 Hkv=1 Lq=1 Lk=1 D=2 Dv=64 seed=4"));
  const bounded_problem bounded(c, solved, false);
  double terms = 0, noise = 0;
  for (std::int64_t d = 0; d < 64; ++d)
    terms += std::fabs(solved.given.o.at(0, 0, 0, d) * solved.p.v.at(0, 0, 0, d));
  const double share = std::fabs(solved.p.k.at(0, 0, 0, 0)) / std::sqrt(2.0) * terms;
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    const backward_plan plan = draw_backward_plan(c, seed);
    if (plan.saved_by_forward) continue;
    const attention_gradient<double> made =
        unlucky_backward({c, solved.p, solved.given, solved.rows, bounded.saved}, plan);
    noise = std::max(noise, std::fabs(made.scored.q.at({0, 0, 0, 0})));
  }
  EXPECT_EQ(solved.exact.scored.q.at({0, 0, 0, 0}), 0);
  EXPECT_GT(noise, 0x1p-24 * share);
  EXPECT_LE(noise, bounded.bound.q({0, 0, 0, 0}));
  EXPECT_LT(bounded.bound.q({0, 0, 0, 0}), 0x1p-16 * share);
}

TEST(gradient_bound, sums_beyond_a_format_have_no_bound) {
  const problem_spec spec =
      parse_problem_line("B=1 Hq=1 Hkv=1 Lq=1 Lk=3 D=2 Dv=4 dtype=f16 seed=5");
  solved_problem solved(spec);
  for_each_index(solved.given.o.sizes(), [&](const index4& i) { solved.given.o.set(i, 0x1p15); });
  EXPECT_TRUE(std::isinf(
      bounded_problem(find_contract("fp16-accumulate"), solved, true).bound.q({0, 0, 0, 0})));
  EXPECT_TRUE(
      std::isfinite(bounded_problem(find_contract("float32"), solved, true).bound.q({0, 0, 0, 0})));
}

}  // namespace
}  // namespace attest
