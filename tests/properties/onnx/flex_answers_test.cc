// FlexAttention: stored answers against a plain evaluation, and against what can go wrong.
#include "properties/onnx/flex_answers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "properties/onnx/graph/not_taken.h"
#include "properties/onnx/stored_answers.h"
#include "reference/formats/rounding.h"
#include "tests/properties/exchange/file_bytes.h"
#include "tests/properties/onnx/flex_case.h"

namespace attest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

judged_answers judged(const flex_case& c, const plain_rules& rules = {}) {
  return judge_flex(c.call(plain_answer(c, rules)), {});
}

void expect_holds(const flex_case& c, const plain_rules& rules = {}) {
  const judged_answers found = judged(c, rules);
  EXPECT_EQ(found.found.outcome, verdict::holds) << found.found.worst_ratio;
  EXPECT_EQ(found.found.undecided, 0) << found.contract;
  EXPECT_EQ(found.ulps.correctly_rounded(), found.ulps.elements());
  EXPECT_EQ(found.ulps.elements(),
            c.dims.batch * c.dims.query_heads * c.dims.queries * c.dims.value_width);
}

void expect_wrong(const flex_case& c, const plain_rules& rules) {
  const judged_answers found = judged(c, rules);
  EXPECT_TRUE(is_failure(found.found.outcome)) << found.contract;
  ASSERT_TRUE(found.found.worst.has_value());
  EXPECT_EQ(found.found.worst->where.substr(0, 4), "Y[b=");
}

// Each of the standard's modifiers with what it does to one number.
struct named_modifier {
  const char* name;
  graph_pointer (*graph)(const format&);
  std::function<double(double, const index4&)> plain;
};

double causally(double x, const index4& i) { return i[2] >= i[3] ? x : -infinity; }

const named_modifier score_modifiers[] = {
    {"add", [](const format& f) { return added(0.5, f); },
     [](double x, const index4&) { return x + 0.5; }},
    {"causal", [](const format& f) { return causal("GreaterOrEqual", f); }, causally},
    {"soft cap", [](const format& f) { return soft_capped(2, f); },
     [](double x, const index4&) { return 2 * std::tanh(x / 2); }},
    {"relative", [](const format& f) { return relative(f); },
     [](double x, const index4& i) { return x + static_cast<double>(i[2] - i[3]); }},
};

TEST(flex_answers, of_the_standards_modifiers_hold_in_every_type) {
  for (const named_modifier& modifier : score_modifiers)
    for (const format* type : {&f32, &f64, &f16, &bf16}) {
      SCOPED_TRACE(std::string(modifier.name) + " " + std::string(type->name));
      const format& scores = *type == f64 ? f64 : f32;  // as softmax_precision says by default
      flex_case c{.type = type, .score_mod = modifier.graph(scores)};
      // A double is no plain evaluation of f64: a few of its roundings are seen.
      if (*type == f64)
        EXPECT_TRUE(every_element_holds(judged(c, {.score = modifier.plain}).found));
      else
        expect_holds(c, {.score = modifier.plain});
    }
}

// Adding a constant changes no softmax.
TEST(flex_answers, without_the_modifier_are_wrong) {
  for (const named_modifier& modifier : score_modifiers) {
    if (std::string(modifier.name) == "add") continue;
    SCOPED_TRACE(modifier.name);
    expect_wrong({.score_mod = modifier.graph(f32)}, {});
    expect_wrong({.type = &f16, .score_mod = modifier.graph(f32)}, {});
  }
}

TEST(flex_answers, of_prob_mod_hold_and_without_it_are_wrong) {
  const auto halved = [](double x, const index4&) { return x / 2; };
  for (const format* type : {&f32, &f16, &bf16}) {
    const flex_case c{.type = type, .prob_mod = multiplied(0.5)};
    expect_holds(c, {.prob = halved});
    expect_wrong(c, {});
    expect_wrong(c, {.score = halved});
  }
  const flex_case exact{.type = &f64, .prob_mod = multiplied(0.5, f64)};
  EXPECT_TRUE(every_element_holds(judged(exact, {.prob = halved}).found));
}

TEST(flex_answers, with_planted_errors_are_wrong) {
  const flex_case c{.score_mod = causal()};
  const plain_rules right{.score = causally};
  expect_holds(c, right);
  expect_wrong(c, right.with_scale(1.01));
  expect_wrong(c, {.score = [](double x, const index4& i) {
                 return i[2] > i[3] || i[3] == 0 ? x : -infinity;
               }});
  expect_wrong(
      c, {.score = [](double x, const index4& i) { return i[2] + 1 >= i[3] ? x : -infinity; }});
  expect_wrong(c, {.prob = [](double x, const index4& i) { return i[2] >= i[3] ? x : 0; }});
  expect_wrong(c, {.score = causally, .drops = [](const index4& i) { return i[3] == 1; }});
  expect_wrong({.score_mod = relative()},
               {.score = [](double x, const index4& i) { return x + double(i[2] - i[3]); },
                .over_queries = true});
  expect_wrong(c, {.score = causally, .prob = [](double, const index4&) { return 0; }});
}

TEST(flex_answers, of_grouped_heads_and_of_other_sizes_of_values_hold) {
  const flex_case grouped{
      .dims = {2, 8, 2, 4, 6, 16, 24}, .scale = 0.1f, .score_mod = soft_capped(2)};
  const auto capped = [](double x, const index4&) { return 2 * std::tanh(x / 2); };
  expect_holds(grouped, {.score = capped});
  expect_wrong(grouped, {});
  const flex_case negative{.scale = -0.25, .score_mod = soft_capped(2)};
  expect_holds(negative, {.score = capped});
}

// The class is that of Attention without modifiers, and with one that does nothing.
TEST(flex_answers, without_modifiers_are_judged_as_those_of_attention) {
  for (const format* type : {&f32, &f16})
    for (const double factor : {1.0, 1.5}) {
      const flex_case c{.type = type};
      const array y = plain_answer(c, plain_rules{}.with_scale(factor));
      const flex_call call = c.call(y);
      const judged_answers plain = judge_flex(call, {});
      const onnx_conventions& newest = onnx_editions().back().conventions;
      EXPECT_EQ(plain.found.outcome, factor == 1 ? verdict::holds : verdict::violated);
      EXPECT_EQ(plain.ulps.counts(), count_ulps(call.plain, newest).counts());
      flex_case same = c;
      same.score_mod = graph_of({node("Identity", {"x"}, "y")});
      const judged_answers modified = judge_flex(same.call(y), {});
      EXPECT_EQ(modified.found.outcome, plain.found.outcome);
      EXPECT_EQ(modified.contract, plain.contract);
      EXPECT_EQ(modified.ulps.counts(), plain.ulps.counts());
      EXPECT_NEAR(modified.found.worst_ratio, plain.found.worst_ratio,
                  1e-6 * plain.found.worst_ratio);
    }
}

// --- Evaluations that round ---

using float_modifier = std::function<float(float, const index4&)>;

// Y with every step in float, and scores, weights and sums rounded to f16 where the type is that.
array answer_in_float(const flex_case& c, const float_modifier& score, const float_modifier& prob) {
  const shape& s = c.dims;
  const std::vector<double> q = c.drawn(0, s.q_sizes()), k = c.drawn(1, s.k_sizes()),
                            v = c.drawn(2, s.v_sizes());
  const auto stored = [&](float x) { return static_cast<float>(round_to(*c.type, {}, x)); };
  const auto at = [](const std::vector<double>& t, std::int64_t n) {
    return static_cast<float>(t[static_cast<std::size_t>(n)]);
  };
  const float scale =
      c.scale ? static_cast<float>(*c.scale) : 1 / std::sqrt(static_cast<float>(s.width));
  array y{c.type, {s.batch, s.query_heads, s.queries, s.value_width}, {}, element_kind::floating};
  for_each_index({s.batch, s.query_heads, s.queries, 1}, [&](const index4& row) {
    const std::int64_t head = row[0] * s.kv_heads + row[1] / (s.query_heads / s.kv_heads);
    const std::int64_t query = (row[0] * s.query_heads + row[1]) * s.queries + row[2];
    std::vector<float> p;
    float greatest = -INFINITY, mass = 0;
    for (std::int64_t j = 0; j < s.keys; ++j) {
      float sum = 0;
      for (std::int64_t t = 0; t < s.width; ++t)
        sum += at(q, query * s.width + t) * at(k, (head * s.keys + j) * s.width + t);
      p.push_back(score(stored(stored(sum) * scale), {row[0], row[1], row[2], j}));
      greatest = std::max(greatest, p.back());
    }
    for (float& x : p) mass += x = std::exp(x - greatest);
    for (std::int64_t j = 0; j < s.keys; ++j) {
      float& x = p[static_cast<std::size_t>(j)];
      x = stored(prob(x / mass, {row[0], row[1], row[2], j}));
    }
    for (std::int64_t d = 0; d < s.value_width; ++d) {
      float sum = 0;
      for (std::int64_t j = 0; j < s.keys; ++j)
        sum = stored(sum + p[static_cast<std::size_t>(j)] *
                               at(v, (head * s.keys + j) * s.value_width + d));
      y.values.push_back(stored(sum));
    }
  });
  return y;
}

TEST(flex_answers, of_evaluations_that_round_hold) {
  const float_modifier same = [](float x, const index4&) { return x; };
  struct rounding_row {
    graph_pointer score_mod, prob_mod;
    float_modifier score, prob;
  };
  const rounding_row table[] = {
      {added(0.5), nullptr, [](float x, const index4&) { return x + 0.5f; }, same},
      {causal(), nullptr, [](float x, const index4& i) { return i[2] >= i[3] ? x : -INFINITY; },
       same},
      {soft_capped(0.5), nullptr, [](float x, const index4&) { return std::tanh(x / 0.5f) * 0.5f; },
       same},
      {relative(), nullptr,
       [](float x, const index4& i) { return x + static_cast<float>(i[2] - i[3]); }, same},
      {nullptr, multiplied(0.3f), same, [](float p, const index4&) { return p * 0.3f; }},
      {soft_capped(2), graph_of({node("Sqrt", {"x"}, "y")}),
       [](float x, const index4&) { return std::tanh(x / 2) * 2; },
       [](float p, const index4&) { return std::sqrt(p); }},
  };
  std::int64_t close = 0;
  for (const rounding_row& row : table)
    for (const format* type : {&f32, &f16})
      for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const flex_case c{.dims = {1, 2, 1, 3, 7, 8, 3},
                          .type = type,
                          .score_mod = row.score_mod,
                          .prob_mod = row.prob_mod,
                          .seed = seed};
        const judged_answers found =
            judge_flex(c.call(answer_in_float(c, row.score, row.prob)), {});
        EXPECT_EQ(found.found.outcome, verdict::holds) << found.found.worst_ratio;
        close += found.ulps.elements() - found.ulps.correctly_rounded();
      }
  EXPECT_GT(close, 500);
}

// What is left of weights that nearly cancel is as far off as they were.
TEST(flex_answers, of_a_difference_of_weights_hold) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const flex_case c{
        .dims = {1, 2, 1, 3, 8, 8, 3},
        .scale = 0x1p-10,
        .prob_mod = graph_of({node("Sub", {"x", "eighth"}, "y")}, {number("eighth", 0.125)}),
        .seed = seed};
    const array y = answer_in_float(
        c, [](float x, const index4&) { return x; },
        [](float p, const index4&) { return p - 0.125f; });
    const judged_answers found = judge_flex(c.call(y), {});
    EXPECT_TRUE(every_element_holds(found.found)) << found.found.worst_ratio;
    EXPECT_GT(found.ulps.worst(), 100);
  }
}

// Weights that are known exactly leave the roundings of the sum.
TEST(flex_answers, of_a_sum_that_cancels_hold) {
  std::int64_t worst = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const flex_case c{.dims = {1, 2, 1, 3, 16, 8, 8},
                      .scale = 0,
                      .prob_mod = graph_of({node("Mul", {"x", "n"}, "m"), node("Round", {"m"}, "r"),
                                            node("Mul", {"r", "odd"}, "y")},
                                           {number("n", 16), number("odd", 0.1f)}),
                      .seed = seed};
    const array y = answer_in_float(
        c, [](float x, const index4&) { return x; }, [](float, const index4&) { return 0.1f; });
    const judged_answers found = judge_flex(c.call(y), {});
    EXPECT_TRUE(every_element_holds(found.found)) << found.found.worst_ratio;
    worst = std::max(worst, found.ulps.worst());
  }
  EXPECT_GT(worst, 10);
}

TEST(flex_answers, of_a_row_without_keys_are_nan) {
  // Keys after the query's own are kept: the last row has none.
  const flex_case c{.dims = {1, 1, 1, 3, 3, 4, 2}, .score_mod = causal("Less")};
  array y = plain_answer(
      c, {.score = [](double x, const index4& i) { return i[2] < i[3] ? x : -infinity; }});
  ASSERT_TRUE(std::isnan(y.values.back()));
  const judged_answers found = judge_flex(c.call(y), {});
  EXPECT_TRUE(every_element_holds(found.found));
  EXPECT_EQ(found.ulps.correctly_rounded(), 6);
  y.values.back() = 0;
  EXPECT_TRUE(is_failure(judge_flex(c.call(y), {}).found.outcome));
}

// prob_mod that puts 0 in place of the NaN of a row without keys.
TEST(flex_answers, of_a_modifier_that_takes_nan_out_hold) {
  const flex_case c{
      .dims = {1, 1, 1, 3, 3, 4, 2},
      .score_mod = causal("Less"),
      .prob_mod = graph_of({node("IsNaN", {"x"}, "nan"), node("Where", {"nan", "zero", "x"}, "y")},
                           {number("zero", 0)})};
  array y = plain_answer(
      c, {.score = [](double x, const index4& i) { return i[2] < i[3] ? x : -infinity; },
          .prob = [](double p, const index4&) { return std::isnan(p) ? 0 : p; }});
  EXPECT_TRUE(every_element_holds(judge_flex(c.call(y), {}).found));
  y.values.back() = 1;
  EXPECT_TRUE(is_failure(judge_flex(c.call(y), {}).found.outcome));
}

// The lowest number of the format in place of -inf, as exporters write it.
TEST(flex_answers, under_a_mask_of_the_lowest_number_hold) {
  const double lowest = -largest_finite(f32);
  const flex_case c{
      .score_mod = graph_of(
          {node("Shape", {"x"}, "sizes", {{"start", std::int64_t{2}}}),
           node("ConstantOfShape", {"sizes"}, "all",
                {{"value", std::make_shared<const onnx_constant>(onnx_constant{
                               {"", {&f32, {1}, {lowest}, element_kind::floating}}, ""})}}),
           node("Trilu", {"all", "one"}, "mask"), node("Add", {"x", "mask"}, "y")},
          {integer_scalar("one", 1)})};
  expect_holds(c, {.score = causally});
  expect_wrong(c, {});
}

// Whether a score is above a threshold that it reaches: either is right.
TEST(flex_answers, of_an_open_condition_are_undecided_but_no_other) {
  flex_case open;
  open.score_mod = graph_of({node("Mul", {"x", "one"}, "x2"), node("Greater", {"x", "x2"}, "above"),
                             node("Where", {"above", "x", "masked"}, "y")},
                            {number("one", 1), number("masked", -infinity)});
  const judged_answers found = judged(open);
  EXPECT_EQ(found.found.judged, 0);
  EXPECT_GT(found.found.undecided, 0);
  // A continuous choice is none: the hull of both branches is narrow.
  open.score_mod = graph_of(
      {node("Greater", {"x", "zero"}, "above"), node("Where", {"above", "x", "zero"}, "y")},
      {number("zero", 0)});
  expect_holds(open, {.score = [](double x, const index4&) { return x > 0 ? x : 0; }});
  expect_wrong(open, {});
}

// A quantised weight that may round to either side is no reason for an alarm.
TEST(flex_answers, of_quantised_weights_hold) {
  const flex_case c{.prob_mod =
                        graph_of({node("Mul", {"x", "steps"}, "m"), node("Round", {"m"}, "r"),
                                  node("Div", {"r", "steps"}, "y")},
                                 {number("steps", 16)})};
  const auto quantised = [](double p, const index4&) { return std::nearbyint(p * 16) / 16; };
  expect_holds(c, {.prob = quantised});
  expect_wrong(c, {});
}

TEST(flex_answers, may_read_an_input_of_the_model) {
  flex_case c{.score_mod = graph_of({node("Add", {"x", "bias"}, "y")})};
  onnx_model m = c.model();
  m.inputs.push_back({"bias", 0, {}});
  onnx_data_set set{"", c.inputs(), {}};
  set.inputs.push_back({"bias", {&f32, {6}, {0, 1, 2, 3, 4, 5}, element_kind::floating}});
  set.outputs = {
      {"", plain_answer(c, {.score = [](double x, const index4& i) { return x + double(i[3]); }})}};
  EXPECT_TRUE(every_element_holds(judge_flex(read_flex_call(m, set, "case"), {}).found));
  m.initializers = {"bias"};
  EXPECT_EQ(why_flex_not_judged(m), "a modifier that reads what the model holds around it");
}

// --- What is not judged ---

std::string why_not(graph_pointer score_mod) {
  return why_flex_not_judged(flex_case{.score_mod = std::move(score_mod)}.model());
}

TEST(flex_call, says_which_operator_is_not_taken) {
  EXPECT_EQ(why_not(graph_of({node("TopK", {"x"}, "y")})), "the operator TopK in score_mod");
  onnx_node foreign = node("Add", {"x", "x"}, "y");
  foreign.domain = "some.domain";
  EXPECT_EQ(why_not(graph_of({foreign})), "the operator Add (some.domain) in score_mod");
  EXPECT_EQ(why_not(graph_of({node("Max", std::vector<std::string>(65, "x"), "y")})),
            "Max with 65 inputs in score_mod");
  onnx_graph older = *added(1);
  older.inputs.resize(5, {"i", 7, {}});
  EXPECT_EQ(why_not(std::make_shared<const onnx_graph>(older)),
            "5 inputs and 1 outputs in score_mod");
  EXPECT_EQ(why_not(added(1)), "");
}

TEST(flex_call, says_which_attribute_is_not_taken) {
  struct refused_attribute {
    onnx_attribute given;
    std::string why;
  };
  for (const refused_attribute& row : std::vector<refused_attribute>{
           {{"mask_mod", causal()}, "attribute mask_mod, of an older draft"},
           {{"enable_gqa", std::int64_t{1}}, "attribute enable_gqa, of an older draft"},
           {{"dropout", 0.5}, "attribute dropout"},
           {{"scale", std::int64_t{1}}, "this value of the attribute scale"},
           {{"scale", infinity}, "this value of the attribute scale"},
           {{"softmax_precision", std::int64_t{7}},
            "this value of the attribute softmax_precision"},
           {{"score_mod", 1.0}, "this value of the attribute score_mod"}}) {
    onnx_model m = flex_case{}.model();
    m.nodes[0].attributes.push_back(row.given);
    EXPECT_EQ(why_flex_not_judged(m), row.why);
  }
  onnx_model newer = flex_case{}.model();
  newer.other_opsets["ai.onnx.preview"] = 2;
  EXPECT_EQ(why_flex_not_judged(newer), "FlexAttention in version 2 of ai.onnx.preview");
  onnx_model fewer = flex_case{}.model();
  fewer.nodes[0].inputs.pop_back();
  EXPECT_EQ(why_flex_not_judged(fewer), "2 inputs and 1 outputs");
}

TEST(flex_call, whose_tensors_do_not_fit_is_refused) {
  const flex_case c;
  const array y = plain_answer(c);
  onnx_data_set set{"", c.inputs(), {{"", y}}};
  set.inputs[1].held.sizes = {2, 4, 96};
  EXPECT_NE(message_of([&] { read_flex_call(c.model(), set, "case"); }).find("K has rank 3"),
            std::string::npos);
  flex_case heads;
  heads.dims.kv_heads = 3;
  EXPECT_NE(message_of([&] { heads.call(y); }).find("Q has 4 heads and K 3"), std::string::npos);
  onnx_model without = c.model();
  without.outputs[0].name = "Z";
  set = {"", c.inputs(), {{"", y}}};
  EXPECT_NE(message_of([&] { read_flex_call(without, set, "case"); }).find("Y is missing"),
            std::string::npos);
}

std::string why_not_taken(const flex_case& c) {
  try {
    judged(c);
  } catch (const not_taken& why) {
    return why.what();
  }
  return "taken";
}

TEST(flex_answers, are_not_judged_where_sizes_or_indices_ask_too_much) {
  struct refused_graph {
    graph_pointer graph;
    std::string why;
  };
  const std::vector<double> huge(4, 1e6);
  for (const refused_graph& row : std::vector<refused_graph>{
           {graph_of({node("ConstantOfShape", {"n"}, "c"), node("Add", {"x", "c"}, "y")},
                     {integers("n", huge)}),
            "a tensor of sizes"},
           {graph_of({node("Expand", {"x", "n"}, "y")}, {integers("n", {1e9, 1, 1, 1, 1})}),
            "a tensor of sizes"},
           {graph_of({node("Range", {"a", "b", "c"}, "y")},
                     {integer_scalar("a", 0), integer_scalar("b", 1e15), integer_scalar("c", 1)}),
            "a tensor of sizes"},
           {graph_of({node("Tile", {"x", "n"}, "y")}, {integers("n", huge)}), "a tensor of sizes"},
           {graph_of({node("Sub", {"x", "x"}, "d"), node("Floor", {"d"}, "f"),
                      node("Cast", {"f"}, "i", {{"to", std::int64_t{7}}}),
                      node("Gather", {"x", "i"}, "y")}),
            "Gather by indices that depend on the scores"},
           {graph_of({node("Add", {"x", "c"}, "y")}, {number("c", 1, f16)}),
            "an operator of f32 and f16 numbers at once"},
           {graph_of({node("Add", {"x", "c"}, "y")}, {{{"c", {}}, "words"}}), "words"}}) {
    const std::string why = why_not_taken({.score_mod = row.graph});
    EXPECT_EQ(why.substr(0, row.why.size()), row.why);
  }
  std::vector<onnx_node> many(12000, node("ReduceMax", {"x"}, ""));
  for (std::size_t n = 0; n < many.size(); ++n) many[n].outputs = {"y" + std::to_string(n)};
  many.back().outputs = {"y"};
  EXPECT_EQ(why_not_taken({.score_mod = graph_of(many)}), "a graph of more than 4194304 numbers");
  EXPECT_EQ(why_not_taken({.dims = {1, 1, 1, 1, 4096, 1, 1}, .prob_mod = multiplied(1)}),
            "prob_mod over 4096 keys (up to 2048 are judged)");
  EXPECT_EQ(why_not_taken({.dims = {1, 1, 1, 1, 0, 1, 1}, .score_mod = added(1)}),
            "modifiers without keys");
}

TEST(flex_answers, are_refused_where_the_graph_is_malformed) {
  struct refused_graph {
    graph_pointer graph;
    std::string why;
  };
  for (const refused_graph& row : std::vector<refused_graph>{
           {graph_of({node("Neg", {"gone"}, "y")}),
            "the value gone, which nothing before it gives"},
           {graph_of({node("Neg", {"b"}, "a"), node("Neg", {"a"}, "b"), node("Neg", {"b"}, "y")}),
            "the value b, which nothing"},
           {graph_of({node("Neg", {"x"}, "y"), node("Neg", {"x"}, "y")}), "the value y twice"},
           {graph_of({node("Neg", {"x"}, "z")}), "the value y, which nothing"},
           {graph_of({node("Add", {"x"}, "y")}), "Add without input 1"},
           {graph_of({node("Add", {"x", "c"}, "y")},
                     {{{"c", {&f32, {5}, {1, 2, 3, 4, 5}, element_kind::floating}}, ""}}),
            "of sizes"},
           {graph_of({node("Reshape", {"x", "n"}, "y")}, {integers("n", {5, -1})}), "Reshape of"},
           {graph_of({node("Reshape", {"x", "n"}, "y")}, {integers("n", {-1})}),
            "an output of sizes [384]"},
           {graph_of({node("Greater", {"x", "x"}, "y")}), "an output of type boolean"},
           {graph_of(
                {node("Transpose", {"x"}, "y", {{"perm", std::vector<std::int64_t>{0, 0, 1, 2}}})}),
            "Transpose by [0, 0, 1, 2]"},
           {graph_of({node("Gather", {"x", "n"}, "y")}, {integers("n", {7})}),
            "Gather of element 7 of 2"},
           {graph_of({node("Unsqueeze", {"x", "n"}, "y")}, {integers("n", {9})}), "axis 9"},
           {graph_of({node("And", {"x", "x"}, "y")}), "And of numbers"}}) {
    const flex_case c{.score_mod = row.graph};
    const std::string message = message_of([&] { judged(c); });
    EXPECT_NE(message.find(row.why), std::string::npos) << message;
    EXPECT_EQ(message.find("case: score_mod: "), 0u) << message;
    EXPECT_NE(message.find("; allowed: "), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace attest
