// The members of the family against cases worked out by hand, and against what each must keep.
#include "tests/reference/members.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "reference/definition/attention.h"
#include "reference/input_error.h"
#include "reference/problems/parameters.h"
#include "reference/problems/problem_spec.h"
#include "reference/semantics/fields.h"
#include "reference/semantics/profiles.h"

namespace attest {
namespace {

using numbers = std::vector<double>;

void expect_near(const numbers& found, const numbers& due, const char* why) {
  ASSERT_EQ(found.size(), due.size()) << why;
  for (std::size_t n = 0; n < due.size(); ++n) EXPECT_NEAR(found[n], due[n], 1e-14) << why << n;
}

// ---- Normalizers ----

struct weights_case {
  normalizer by;
  double alpha;
  numbers logits, weights;
  const char* why;
};

const double root_half = std::sqrt(0.5);

const weights_case weights_cases[] = {
    {normalizer::softmax, 0, {0, std::log(3.0)}, {0.25, 0.75}, "softmax: exp(t) are 1 and 3"},
    {normalizer::sparsemax, 0, {5}, {1}, "sparsemax: one key"},
    {normalizer::sparsemax, 0, {1, 1, 1, 1}, {0.25, 0.25, 0.25, 0.25}, "sparsemax: equal keys"},
    {normalizer::sparsemax, 0, {0.5, 0, -3}, {0.75, 0.25, 0}, "sparsemax: tau = (0.5 + 0 - 1) / 2"},
    {normalizer::sparsemax, 0, {3, 2, 2}, {1, 0, 0}, "sparsemax: a gap of 1 is enough"},
    {normalizer::entmax_1_5, 0, {1, 1}, {0.5, 0.5}, "entmax: equal keys"},
    {normalizer::entmax_1_5, 0, {2, 0}, {1, 0}, "entmax: halves a gap of 1 apart"},
    {normalizer::entmax_1_5,
     0,
     {0, -4, 0},
     {0.5, 0, 0.5},
     "entmax: tau = -sqrt(1/2) is above the halves of -4"},
    {normalizer::alpha_entmax, 2, {0.5, 0, -3}, {0.75, 0.25, 0}, "alpha 2 is sparsemax"},
    {normalizer::alpha_entmax, 3, {0, -10}, {1, 0}, "alpha 3: roots of [2 t - tau]_+"},
    {normalizer::alpha_entmax, 3, {0, 0}, {0.5, 0.5}, "alpha 3: equal keys"},
    {normalizer::relu_ratio, 0, {3, -1, 1}, {0.75, 0, 0.25}, "relu: the negative counts nothing"},
    {normalizer::relu_ratio, 0, {-3, 0}, {}, "relu: nothing to divide by"},
    {normalizer::ratio, 0, {3, -1, 2}, {0.75, -0.25, 0.5}, "ratio: weights may be negative"},
    {normalizer::ratio, 0, {-3, -1}, {0.75, 0.25}, "ratio: signs cancel"},
    {normalizer::ratio, 0, {3, -3}, {}, "ratio: nothing to divide by"},
    {normalizer::identity, 0, {3, -1}, {3, -1}, "identity: the scores"},
    {normalizer::uniform, 0, {7, -7, 0, 1}, {0.25, 0.25, 0.25, 0.25}, "uniform"},
};

TEST(weights_of, are_what_hand_work_gives) {
  for (const weights_case& c : weights_cases)
    expect_near(weights_of(c.by, c.alpha, c.logits), c.weights, c.why);
}

TEST(weights_of, entmax_solves_its_equation) {
  const numbers weights = weights_of(normalizer::entmax_1_5, 0, numbers{1, 0.5, -0.25, -9});
  const double tau = 0.5 - std::sqrt(weights[0]);
  expect_near({std::accumulate(weights.begin(), weights.end(), 0.0)}, {1}, "sum");
  expect_near({std::pow(0.25 - tau, 2), std::pow(-0.125 - tau, 2)}, {weights[1], weights[2]},
              "the same tau");
  EXPECT_EQ(weights[3], 0);
}

TEST(weights_of, alpha_entmax_of_1_5_and_2_are_the_closed_forms) {
  const numbers logits{0.3, -0.2, 0.25, 0.3, -5, 0.1};
  expect_near(weights_of(normalizer::alpha_entmax, 1.5, logits),
              weights_of(normalizer::entmax_1_5, 0, logits), "1.5");
  expect_near(weights_of(normalizer::alpha_entmax, 2, logits),
              weights_of(normalizer::sparsemax, 0, logits), "2");
}

// Where alpha comes near 1 it comes near softmax.
TEST(weights_of, alpha_entmax_near_1_is_near_softmax) {
  const numbers logits{0.3, -0.2, 1};
  const numbers near = weights_of(normalizer::alpha_entmax, 1 + 0x1p-12, logits);
  const numbers softmax = weights_of(normalizer::softmax, 0, logits);
  for (std::size_t n = 0; n < 3; ++n) EXPECT_NEAR(near[n], softmax[n], 1e-3);
}

// ---- Scorers ----

// One query (1, 2), one key (3, -1), parameters by hand; v = 1, and the logit is the score.
double score_of(const char* name, const std::vector<std::pair<index4, numbers>>& parameters) {
  problem p;
  p.rules = find_profile(std::string("attest,scorer=") + name);
  p.dims.width = 2;
  const auto filled = [](const index4& sizes, const numbers& values) {
    tensor t(f64, place(layout::bhld, sizes), 0);
    std::size_t n = 0;
    for_each_index(sizes, [&](const index4& i) { t.set(i, values[n++]); });
    return t;
  };
  p.q = filled({1, 1, 1, 2}, {1, 2});
  p.k = filled({1, 1, 1, 2}, {3, -1});
  p.v = filled({1, 1, 1, 1}, {1});
  for (const auto& [sizes, values] : parameters) p.parameters.push_back(filled(sizes, values));
  require_parameters(p);
  return attention<double>(p, {}).scores.front();
}

TEST(raw_score, is_what_hand_work_gives) {
  EXPECT_DOUBLE_EQ(score_of("scaled_dot", {}), 1 / std::sqrt(2.0));
  EXPECT_EQ(score_of("dot", {}), 1);
  EXPECT_EQ(score_of("general", {{{1, 1, 2, 2}, {1, 2, 3, 4}}}), 1 * (3 - 2) + 2 * (9 - 4));
  EXPECT_DOUBLE_EQ(score_of("cosine", {}), 1 / std::sqrt(50.0));
  EXPECT_DOUBLE_EQ(
      score_of("additive",
               {{{1, 1, 1, 2}, {0.5, 0.25}}, {{1, 1, 1, 2}, {0.125, 1}}, {{1, 1, 1, 1}, {3}}}),
      3 * std::tanh(0.5 + 0.5 + 0.375 - 1));
  EXPECT_DOUBLE_EQ(
      score_of("concat", {{{1, 1, 2, 4}, {0, 0, 0, 1, 0.5, 0, 0, 0}}, {{1, 1, 1, 2}, {1, 2}}}),
      std::tanh(-1.0) + 2 * std::tanh(0.5));
  EXPECT_EQ(score_of("mlp", {{{1, 1, 2, 4}, {0, 0, 0, 1, 1, 0, 0, 0}},
                             {{1, 1, 1, 2}, {0.5, 0.25}},
                             {{1, 1, 1, 2}, {8, 2}},
                             {{1, 1, 1, 1}, {-1}}}),
            8 * 0 + 2 * 1.25 - 1);
}

// One query at position 1, one key at position 0; the tables turn position 1 by 90 degrees,
// position 0 not at all.
TEST(raw_score, of_a_turned_query_is_what_hand_work_gives) {
  const auto turned = [](const char* name, const numbers& q, const numbers& k) {
    const auto width = static_cast<std::int64_t>(q.size());
    problem p;
    p.rules = find_profile(std::string("attest,scorer=") + name);
    p.dims.queries = 2;
    p.dims.width = width;
    p.scale = 1;
    p.q = tensor(f64, place(layout::bhld, p.dims.q_sizes()), 0);
    p.k = tensor(f64, place(layout::bhld, p.dims.k_sizes()), 0);
    p.v = tensor(f64, place(layout::bhld, p.dims.v_sizes()), 1);
    for (std::int64_t t = 0; t < width; ++t) {
      p.q.set({0, 0, 1, t}, q[static_cast<std::size_t>(t)]);
      p.k.set({0, 0, 0, t}, k[static_cast<std::size_t>(t)]);
    }
    const index4 sizes{1, 1, 2, 2};
    p.parameters.assign(2, tensor(f64, place(layout::bhld, sizes), 0));
    for (std::int64_t t = 0; t < 2; ++t) {
      p.parameters[0].set({0, 0, 0, t}, 1);  // cos 0
      p.parameters[1].set({0, 0, 1, t}, 1);  // sin 90 degrees
    }
    require_parameters(p);
    return attention<double>(p, {0, 0, 1}).scores.front();
  };
  // (1, 2 | 3, 4) becomes (-3, -4 | 1, 2); by neighbours (1, 2) becomes (-2, 1) and (3, 4) (-4, 3).
  EXPECT_EQ(turned("rotary_halves", {1, 2, 3, 4, 5}, {1, 10, 100, 1000, 10000}), 52057);
  EXPECT_EQ(turned("rotary_pairs", {1, 2, 3, 4, 5}, {1, 10, 100, 1000, 10000}), 52608);
}

TEST(raw_score, of_features_is_what_hand_work_gives) {
  EXPECT_DOUBLE_EQ(score_of("elu_features", {}), 2 * 4 + 3 * std::exp(-1.0));
  EXPECT_EQ(score_of("relu_features", {}), 1 * 3);
  EXPECT_DOUBLE_EQ(score_of("exp_features", {{{1, 1, 1, 2}, {1, 2}}}),
                   std::exp(5 - 2.5) * std::exp(1 - 5.0));
}

TEST(require_parameters, refuses_tables_that_do_not_fit) {
  problem p = materialise(parse_problem_line(
      "Hq=2 Hkv=1 Lq=3 Lk=5 D=4 Dv=1 profile=attest,scorer=rotary_pairs seed=4"));
  EXPECT_NO_THROW(require_parameters(p));
  tensor of_each_head(f32, place(layout::bhld, {1, 2, 5, 2}), 1);
  p.parameters[0] = of_each_head;
  p.parameters[1] = of_each_head;
  EXPECT_NO_THROW(require_parameters(p));
  p.parameters[1].set({0, 1, 3, 1}, 2);
  EXPECT_THROW(require_parameters(p), input_error) << "heads that differ";
  p.parameters[0] = p.parameters[1] = tensor(f32, place(layout::bhld, {1, 2, 4, 2}), 1);
  EXPECT_THROW(require_parameters(p), input_error) << "four rows for five keys";
  p.parameters[0] = p.parameters[1] = tensor(f32, place(layout::bhld, {1, 2, 5, 3}), 1);
  EXPECT_THROW(require_parameters(p), input_error) << "three pairs of a width of four";
}

TEST(raw_score, of_a_zero_vector_is_a_cosine_of_0) {
  problem p = materialise(parse_problem_line("Lq=1 Lk=3 D=2 Dv=1 profile=attest,scorer=cosine"));
  p.k.set({0, 0, 1, 0}, 0);
  p.k.set({0, 0, 1, 1}, 0);
  EXPECT_EQ(attention<double>(p, {}).scores[1], 0);
}

// ---- Rows ----

TEST(attention, a_row_whose_sum_is_0_is_as_one_without_keys) {
  for (const char* rule : {"zero", "mean_of_values"}) {
    problem p =
        materialise(parse_problem_line("Lq=1 Lk=2 D=1 Dv=1 seed=3 profile=attest,"
                                       "scorer=dot,normalizer=ratio,empty_row=" +
                                       std::string(rule)));
    p.q.set({0, 0, 0, 0}, 1);
    p.k.set({0, 0, 0, 0}, 3);
    p.k.set({0, 0, 1, 0}, -3);
    const attention_row<double> row = attention<double>(p, {});
    EXPECT_TRUE(row.keys.empty());
    EXPECT_EQ(row.output, empty_row_output<double>(p, {})) << rule;
  }
}

TEST(attention, every_member_weighs_its_keys_by_parts_of_1) {
  for (const std::string& member : every_member()) {
    const problem p =
        materialise(parse_problem_line("Hq=2 Lq=3 Lk=7 D=5 Dv=2 causal=bottom_right "
                                       "bias=bhqk soft_cap=2 seed=5 profile=attest," +
                                       member));
    const attention_row<double> row = attention<double>(p, {0, 1, 1});
    ASSERT_FALSE(row.weights.empty()) << member;
    const double sum = std::accumulate(row.weights.begin(), row.weights.end(), 0.0);
    EXPECT_TRUE(p.rules.normalised_by == normalizer::identity || std::fabs(sum - 1) < 1e-12)
        << member << ' ' << sum;
    EXPECT_EQ(std::isnan(row.lse), !p.rules.is_softmax()) << member;
  }
}

// ---- Problems ----

TEST(materialise, draws_parameters_that_fit) {
  for (const std::string& member : every_member())
    for (int seed = 0; seed < 8; ++seed) {
      const problem p =
          materialise(parse_problem_line("Hq=4 Hkv=2 Lq=2 Lk=3 D=5 Dv=2 dtype=f16 profile=attest," +
                                         member + " seed=" + std::to_string(seed)));
      EXPECT_NO_THROW(require_parameters(p)) << member;
    }
}

TEST(require_parameters, refuses_what_does_not_fit) {
  problem p = materialise(parse_problem_line("D=3 profile=attest,scorer=additive"));
  p.parameters.pop_back();
  EXPECT_THROW(require_parameters(p), input_error);
  p = materialise(parse_problem_line("D=3 profile=attest,scorer=general"));
  p.parameters[0] = tensor(f32, place(layout::bhld, {1, 1, 3, 2}), 0);
  EXPECT_THROW(require_parameters(p), input_error);
  p = materialise(parse_problem_line("D=3 profile=attest,normalizer=alpha_entmax"));
  for (const double alpha : {1.0, 0.5, double{NAN}, double{INFINITY}}) {
    p.alpha = alpha;
    EXPECT_THROW(require_parameters(p), input_error) << alpha;
  }
}

TEST(problem_line, has_no_sink_beside_another_normalizer) {
  EXPECT_THROW(parse_problem_line("sink=1 profile=attest,normalizer=uniform"), input_error);
  EXPECT_NO_THROW(parse_problem_line("sink=1 profile=attest,scorer=mlp"));
}

}  // namespace
}  // namespace attest
