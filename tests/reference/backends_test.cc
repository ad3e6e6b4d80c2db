// The built-in evaluations: their names, their orders and what one owes to another.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "reference/backends/answer.h"
#include "reference/backends/backend.h"
#include "reference/backends/staged.h"
#include "reference/contract/presets.h"
#include "reference/input_error.h"
#include "tests/reference/backends/random_spec.h"

namespace attest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

answer answer_of(std::string_view name, const problem& p, const format& output = f32,
                 const format& lse = f32) {
  const backend b = find_backend(name);
  answer a(p, output, lse);
  b.evaluate(b, p, a.o, &a.lse);
  return a;
}

bool same_answer(const answer& x, const answer& y) {
  return same_bits(x.o, y.o) && same_bits(x.lse, y.lse);
}

// ---- Names ----

TEST(backends, listed_names_are_found_and_are_canonical) {
  for (std::string_view name : all_backends()) EXPECT_EQ(find_backend(name).name, name);
}

TEST(backends, names_have_defaults) {
  struct row {
    std::string_view given, canonical, why;
  };
  constexpr row rows[] = {
      {"float32/two-pass", "float32", "two-pass is the default order"},
      {"fp16-eager/online", "fp16-eager/online=16", "16 keys to a block"},
      {"bf16/split-kv", "bf16/split-kv=3", "3 parts"},
      {"fp8/online=1", "fp8/online=1", "the smallest size"},
      {"float64/split-kv=1048576", "float64/split-kv=1048576", "the largest size"},
  };
  for (const row& r : rows) EXPECT_EQ(find_backend(r.given).name, r.canonical) << r.why;
}

TEST(backends, other_names_are_refused) {
  struct row {
    std::string_view given, message;
  };
  constexpr row rows[] = {
      {"", "unknown backend ''"},
      {"float16", "unknown backend 'float16' (allowed: float64, float32, fp16"},
      {"fp16-flash", "unknown backend 'fp16-flash'"},
      {"float32/", "unknown order '' (allowed: two-pass, online, split-kv, merge-tree, ring, "},
      {"float32/Online", "unknown order 'Online'"},
      {"float32/two-pass=2", "order two-pass takes no size"},
      {"float32/online=", "the size of order online is ''"},
      {"float32/online=0", "the size of order online is 0 (allowed: 1 to 1048576)"},
      {"float32/split-kv=-1", "the size of order split-kv is -1"},
      {"float32/split-kv=1048577", "the size of order split-kv is 1048577"},
      {"float32/online=4/online=4", "the size of order online is '4/online=4'"},
      {"mp50/online=4", "backend mp50 takes no order"},
      {"mpfr/two-pass", "backend mpfr takes no order"},
  };
  for (const row& r : rows) {
    try {
      find_backend(r.given);
      ADD_FAILURE() << r.given << " was found";
    } catch (const input_error& e) {
      EXPECT_EQ(std::string_view(e.what()).substr(0, r.message.size()), r.message);
    }
  }
}

TEST(backends, every_backend_but_multiprecision_keeps_a_contract) {
  for (std::string_view name : all_backends()) {
    const backend b = find_backend(name);
    EXPECT_EQ(b.keeps == nullptr, name.starts_with("mp")) << name;
    EXPECT_FALSE(b.inputs.empty() || b.about.empty()) << name;
    EXPECT_TRUE(b.keeps == nullptr || b.inputs.front() == b.keeps->inputs) << name;
  }
}

// ---- Orders ----

// Whether they agree to 1e-13 of the values (and of the scores, which the lse carries in full).
void expect_close(const tensor& x, const tensor& y, double scale, const std::string& what) {
  for_each_index(x.sizes(), [&](const index4& i) {
    const double a = x.at(i), b = y.at(i);
    const bool same_class = std::isnan(a) == std::isnan(b) && std::isinf(a) == std::isinf(b);
    EXPECT_TRUE(same_class && (!std::isfinite(a) || std::fabs(a - b) <= 1e-13 * scale))
        << what << ' ' << a << ' ' << b;
  });
}

double largest_value(const tensor& v) {
  double largest = 1;
  for_each_index(v.sizes(),
                 [&](const index4& i) { largest = std::max(largest, std::fabs(v.at(i))); });
  return largest;
}

TEST(backends, orders_agree_in_float64) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const problem_spec spec = any_spec(seed, f64);
    const problem p = materialise(spec);
    const answer defined = answer_of("float64", p, f64, f64);
    for (std::string_view order :
         {"online=1", "online=7", "online=64", "split-kv=1", "split-kv=4", "split-kv=99",
          "merge-tree=5", "merge-tree=99", "ring=4", "chunked-prefill=1", "chunked-prefill=4"}) {
      const answer other = answer_of("float64/" + std::string(order), p, f64, f64);
      expect_close(defined.o, other.o, largest_value(p.v),
                   to_line(spec) + ' ' + std::string(order));
      expect_close(defined.lse, other.lse, std::max(largest_value(defined.lse), 1.0),
                   to_line(spec));
    }
  }
}

contract with_subnormals(contract c) {
  for (stage* s : {&c.score_sum, &c.score_storage, &c.bias_sum, &c.exponent, &c.weight_storage,
                   &c.output_sum, &c.weight_sum, &c.partial_storage})
    s->subnormals = subnormal_mode::kept;
  c.output_subnormals = subnormal_mode::kept;
  return c;
}

// The strong check of the staged path: the hardware does the same operations in the same order.
void expect_staged_is_defined(std::string_view number, const format& element) {
  const contract c = with_subnormals(find_contract(number));
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const problem_spec spec = any_spec(seed, element);
    const problem p = materialise(spec);
    answer staged(p, element, element);
    evaluate_staged(c, {}, p, staged.o, &staged.lse);
    EXPECT_TRUE(same_answer(staged, answer_of(number, p, element, element))) << to_line(spec);
  }
}

TEST(backends, staged_float32_has_the_bits_of_the_definition_in_float) {
  expect_staged_is_defined("float32", f32);
}
TEST(backends, staged_float64_has_the_bits_of_the_definition_in_double) {
  expect_staged_is_defined("float64", f64);
}

constexpr std::string_view staged_numbers[] = {
    "float64", "float32", "fp16", "fp16-eager", "fp16-accumulate", "bf16", "bf16-eager", "fp8"};

// Calls check(problem, number, output format) over random problems of every staged number.
template <class Check>
void for_random_problems(std::uint64_t count, Check check) {
  for (std::string_view name : staged_numbers)
    for (std::uint64_t seed = 0; seed < count; ++seed) {
      const backend b = find_backend(name);
      const problem_spec spec = any_spec(seed, *b.inputs.front());
      SCOPED_TRACE(std::string(name) + ": " + to_line(spec));
      check(materialise(spec), std::string(name), *b.keeps->output);
    }
}

TEST(backends, one_part_is_online) {
  for_random_problems(100, [](const problem& p, const std::string& name, const format& output) {
    EXPECT_TRUE(same_answer(answer_of(name + "/split-kv=1", p, output),
                            answer_of(name + "/online=16", p, output)));
  });
}

TEST(backends, one_device_and_one_pair_are_split_kv) {
  for_random_problems(60, [](const problem& p, const std::string& name, const format& output) {
    const auto of = [&](const char* order) { return answer_of(name + order, p, output); };
    EXPECT_TRUE(same_answer(of("/ring=1"), of("/split-kv=1")));
    EXPECT_TRUE(same_answer(of("/merge-tree=1"), of("/split-kv=1")));
    EXPECT_TRUE(same_answer(of("/merge-tree=2"), of("/split-kv=2")));
    if (p.dims.queries != p.dims.keys) return;
    EXPECT_TRUE(same_answer(of("/chunked-prefill=1000"), of("/split-kv=1")));
  });
}

// Where they part the order is another, and so are the bits.
TEST(backends, orders_differ) {
  std::map<std::string, int> differ;
  for_random_problems(60, [&](const problem& p, const std::string& name, const format& output) {
    const answer split = answer_of(name + "/split-kv=4", p, output);
    for (const char* order : {"/merge-tree=4", "/ring=4", "/chunked-prefill=1"})
      differ[order] += !same_answer(split, answer_of(name + order, p, output));
  });
  for (const auto& [order, times] : differ) EXPECT_GT(times, 5) << order;
  EXPECT_EQ(differ.size(), 3);
}

TEST(backends, one_block_is_two_pass_where_weights_are_not_normalised) {
  for_random_problems(100, [](const problem& p, const std::string& name, const format& output) {
    if (find_backend(name).keeps->may_normalise_weights) return;
    EXPECT_TRUE(same_answer(answer_of(name + "/online=48", p, output), answer_of(name, p, output)));
  });
}

TEST(backends, every_call_gives_the_same_bits) {
  for_random_problems(20, [](const problem& p, const std::string& name, const format& output) {
    EXPECT_TRUE(same_answer(answer_of(name + "/split-kv", p, output),
                            answer_of(name + "/split-kv", p, output)));
  });
}

TEST(backends, parts_beyond_the_keys_change_nothing) {
  for_random_problems(40, [](const problem& p, const std::string& name, const format& output) {
    EXPECT_TRUE(same_answer(answer_of(name + "/split-kv=1000", p, output),
                            answer_of(name + "/split-kv=5000", p, output)));
  });
}

// ---- Special rows ----

// All keys of both rows masked; a sink, if asked, leaves the second head something to sum.
problem masked_problem(bool sink) {
  problem p;
  p.dims = {
      .query_heads = 2, .kv_heads = 2, .queries = 1, .keys = 32, .width = 2, .value_width = 2};
  p.q = tensor(f16, place(layout::bhld, p.dims.q_sizes()), 0x3c00);
  p.k = tensor(f16, place(layout::bhld, p.dims.k_sizes()), 0x3c00);
  p.v = tensor(f16, place(layout::bhld, p.dims.v_sizes()), 0x3c00);
  p.mask = boolean_tensor(broadcast(p.dims.score_sizes(), 0));
  if (sink) p.sink = {1, 2};
  return p;
}

constexpr std::string_view orders[] = {"two-pass",      "online=8",         "split-kv=3",
                                       "split-kv=64",   "ring=5",           "merge-tree=5",
                                       "merge-tree=64", "chunked-prefill=1"};

// Calls check(answer, what) for every staged number and order.
template <class Check>
void for_every_evaluation(const problem& p, Check check) {
  for (std::string_view name : staged_numbers)
    for (std::string_view order : orders) {
      const std::string full = std::string(name) + '/' + std::string(order);
      SCOPED_TRACE(full);
      check(answer_of(full, p));
    }
}

TEST(backends, an_empty_row_is_what_the_semantics_says) {
  problem p = masked_problem(false);
  for_every_evaluation(p, [](const answer& a) {
    EXPECT_EQ(a.o.at(0, 1, 0, 1), 0);
    EXPECT_EQ(a.lse.at(0, 1, 0, 0), -infinity);
  });
  p.rules.on_empty_row = empty_row::nan;
  p.rules.on_empty_lse = empty_lse::plus_infinity;
  for_every_evaluation(p, [](const answer& a) {
    EXPECT_TRUE(std::isnan(a.o.at(0, 1, 0, 1)));
    EXPECT_EQ(a.lse.at(0, 1, 0, 0), infinity);
  });
  p.rules.on_empty_row = empty_row::mean_of_values;
  for_every_evaluation(p, [](const answer& a) { EXPECT_EQ(a.o.at(0, 1, 0, 1), 1); });
}

TEST(backends, a_sink_alone_takes_all_the_weight) {
  for_every_evaluation(masked_problem(true), [](const answer& a) {
    EXPECT_EQ(a.o.at(0, 1, 0, 1), 0);
    EXPECT_EQ(a.lse.at(0, 1, 0, 0), 2);
  });
}

TEST(backends, a_sink_beside_no_key_at_all_takes_all_the_weight) {
  problem p = masked_problem(true);
  p.dims.keys = 0;
  p.mask.reset();
  for_every_evaluation(p, [](const answer& a) {
    EXPECT_EQ(a.o.at(0, 1, 0, 1), 0);
    EXPECT_EQ(a.lse.at(0, 0, 0, 0), 1);
  });
}

TEST(backends, blocks_that_keep_no_key_change_nothing) {
  problem p = masked_problem(false);
  p.mask = boolean_tensor(broadcast(p.dims.score_sizes(), 8));
  p.mask->set({0, 0, 0, 20}, true);
  p.v.set({0, 1, 20, 1}, -3);
  for_every_evaluation(p, [](const answer& a) {
    EXPECT_EQ(a.o.at(0, 1, 0, 1), -3);
    EXPECT_EQ(a.o.at(0, 1, 0, 0), 1);
  });
}

TEST(backends, problems_without_rows_are_evaluated) {
  for (auto size : {&shape::queries, &shape::batch}) {
    problem p = masked_problem(false);
    p.dims.*size = 0;
    for_every_evaluation(p, [](const answer& a) { EXPECT_EQ(a.o.storage_bytes(), 0u); });
  }
}

TEST(backends, nan_and_infinities_take_their_course) {
  problem p = masked_problem(false);
  p.mask.reset();
  p.k.set({0, 0, 30, 0}, std::nan(""));
  p.v.set({0, 1, 30, 1}, -infinity);
  for_every_evaluation(p, [](const answer& a) {
    EXPECT_TRUE(std::isnan(a.o.at(0, 0, 0, 0)) && std::isnan(a.lse.at(0, 0, 0, 0)));
    EXPECT_EQ(a.o.at(0, 1, 0, 0), 1);
    EXPECT_EQ(a.o.at(0, 1, 0, 1), -infinity);
  });
}

TEST(backends, what_a_masked_key_holds_does_not_matter) {
  problem p = masked_problem(false);
  p.mask = boolean_tensor(broadcast(p.dims.score_sizes(), 8));
  for (std::int64_t j = 0; j < 32; j += 2) p.mask->set({0, 0, 0, j}, true);
  p.k.set({0, 0, 1, 0}, std::nan(""));
  p.v.set({0, 0, 3, 0}, infinity);
  for_every_evaluation(p, [](const answer& a) { EXPECT_EQ(a.o.at(0, 0, 0, 0), 1); });
}

}  // namespace
}  // namespace attest
