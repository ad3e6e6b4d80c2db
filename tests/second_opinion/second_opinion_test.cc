// The certified reference against an attention that shares nothing with it, and that attention
// against what it says of itself.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/second_opinion/definition_within.h"
#include "tests/second_opinion/disagreement.h"
#include "tests/second_opinion/drawn_problem.h"
#include "tests/second_opinion/widest_radius.h"

namespace attest::second_opinion {
namespace {

constexpr std::uint64_t problems = 300;

// No enclosure of the fast engine should be wider than this part of max |v|: less would not judge
// f64.
constexpr double useful_radius = 0x1p-80;

certified_answer certify_all(const problem& p) {
  certified_options all;
  all.weights = all.magnitudes = true;
  return certify(p, all);
}

problem problem_of(std::string_view line) { return materialise(parse_problem_line(line)); }

template <class Check>
void for_drawn_problems(std::uint64_t step, Check check) {
  for (std::uint64_t seed = 0; seed < problems; seed += step) {
    const drawn_problem drawn = draw_problem(seed);
    SCOPED_TRACE(drawn.text);
    check(drawn);
  }
}

TEST(second_opinion, agrees_with_the_certified_reference) {
  for_drawn_problems(1, [](const drawn_problem& drawn) {
    const auto found = disagreement(drawn.asked, certify_all(drawn.asked));
    EXPECT_FALSE(found) << *found;
  });
}

// Drawn problems that found an error in the engine while it was written.
struct telling_problem {
  std::uint64_t seed;
  const char* why;
};

constexpr telling_problem telling_problems[] = {
    {1000030, "every key weighs less than a double can beside the sink"},
    {1000032, "v is 0 at all keys but those that weigh next to nothing"},
    {1000410, "the same, where values are exact"},
    {1000065, "a cap after a bias that was meant to mask"},
    {1014712, "hundreds of products that underflow"},
};

TEST(second_opinion, agrees_where_errors_were_found_before) {
  for (const telling_problem& t : telling_problems) {
    const drawn_problem drawn = draw_problem(t.seed);
    const auto found = disagreement(drawn.asked, certify_all(drawn.asked));
    EXPECT_FALSE(found) << t.why << '\n' << drawn.text << '\n' << *found;
  }
}

TEST(second_opinion, the_definition_in_50_and_100_digits_lies_in_the_certified_enclosures) {
  for_drawn_problems(5, [](const drawn_problem& drawn) {
    const certified_answer answer = certify_all(drawn.asked);
    for (const defining_number& number : {fifty_digits, hundred_digits}) {
      const auto found = escapes(drawn.asked, answer, number);
      EXPECT_FALSE(found) << number.digits << " digits: " << *found;
    }
  });
}

TEST(second_opinion, the_certified_enclosures_are_narrow_enough_to_be_of_use) {
  widest_radius widest;
  for_drawn_problems(1, [&](const drawn_problem& drawn) {
    widest.include(drawn.asked, certify_all(drawn.asked), drawn.text);
  });
  for (const auto& kind : {widest.of_value, widest.lse})
    EXPECT_LE(kind.part, useful_radius) << kind.cause;
}

// Two precisions, one truth.
TEST(second_opinion, balls_of_two_precisions_overlap) {
  for_drawn_problems(4, [](const drawn_problem& drawn) {
    const ball_row x = arb_attention(drawn.asked, {}, 200),
                   y = arb_attention(drawn.asked, {}, 2000);
    for (std::size_t d = 0; d < x.output.size() && !x.empty; ++d)
      EXPECT_TRUE(arb_overlaps(x.output[d].get(), y.output[d].get())) << to_string(y.output[d]);
    for (std::size_t n = 0; n < x.weights.size(); ++n)
      EXPECT_TRUE(arb_overlaps(x.weights[n].get(), y.weights[n].get())) << to_string(y.weights[n]);
    EXPECT_TRUE(x.empty || arb_overlaps(x.lse.get(), y.lse.get())) << to_string(y.lse);
  });
}

TEST(second_opinion, weights_sum_to_one_without_a_sink) {
  for_drawn_problems(4, [](const drawn_problem& drawn) {
    const ball_row row = arb_attention(drawn.asked, {}, 400);
    ball sum;
    for (const ball& a : row.weights) arb_add(sum.get(), sum.get(), a.get(), 400);
    if (!drawn.asked.sink.empty() || row.empty) return;
    EXPECT_TRUE(arb_contains_si(sum.get(), 1)) << to_string(sum);
  });
}

// The ball of a hand computation: scores ln 3 and 0 would need ln 3, a cap of 0 scores needs
// nothing.
TEST(second_opinion, equal_scores_average_the_values) {
  const problem p = problem_of("Lk=8 D=3 Dv=1 scale=0 regime=exact seed=4");
  double sum = 0;
  for (std::int64_t j = 0; j < 8; ++j) sum += p.v.at(0, 0, j, 0);
  const ball_row row = arb_attention(p, {}, 200);
  EXPECT_TRUE(arb_contains(row.output[0].get(), ball(sum / 8).get())) << to_string(row.output[0]);
  ball mass;
  arb_exp(mass.get(), row.lse.get(), 200);
  EXPECT_TRUE(arb_contains_si(mass.get(), 8)) << to_string(mass);
}

// Every check above must be able to fail.

void expect_found(const problem& p, const certified_answer& answer, std::string_view what) {
  const auto found = disagreement(p, answer);
  ASSERT_TRUE(found) << "the planted error was missed";
  EXPECT_NE(found->find(what), std::string::npos) << *found;
}

// In one place, relative to what stands there; the low part holds what the high part can't.
void plant(enclosure& e, double part) { e.low += part * e.high; }

constexpr double planted_part = 0x1p-90;

TEST(second_opinion, a_planted_error_of_2_to_the_minus_90_is_detected) {
  const problem p = problem_of("Hq=2 Lq=3 Lk=90 D=16 Dv=3 seed=5");
  const certified_answer right = certify_all(p);
  ASSERT_EQ(disagreement(p, right), std::nullopt);
  for (std::size_t n = 0; n < right.output.size(); ++n) {
    if (right.magnitudes[n] > 4 * std::fabs(right.output[n].high)) continue;  // cancels
    certified_answer wrong = right;
    plant(wrong.output[n], planted_part);
    expect_found(p, wrong, "o[");
  }
  for (std::size_t n = 0; n < right.lse.size(); ++n) {
    certified_answer wrong = right;
    plant(wrong.lse[n], -planted_part);
    expect_found(p, wrong, "lse[");
  }
}

TEST(second_opinion, a_planted_error_in_a_weight_is_detected) {
  const problem p = problem_of("Lq=2 Lk=70 D=8 seed=6 causal=bottom_right");
  certified_answer answer = certify_all(p);
  enclosure& kept = answer.weights[3];
  const enclosure right = kept;
  kept.low += 4 * kept.radius + planted_part * kept.high;
  expect_found(p, answer, "a[0, 0, 0, 3] contradicts");
  kept = right;
  answer.weights[69].radius = 0x1p-1074;  // the first query stands one key before the last
  expect_found(p, answer, "removed key");
}

TEST(second_opinion, a_magnitude_that_is_too_small_or_too_large_is_detected) {
  const problem p = problem_of("Lk=70 D=8 Dv=2 seed=7");
  for (double factor : {1 - 2 * magnitude_excess, 1 + 2 * magnitude_excess}) {
    certified_answer answer = certify_all(p);
    answer.magnitudes[1] *= factor;
    expect_found(p, answer, "rounded up");
  }
}

TEST(second_opinion, an_enclosure_that_says_nothing_is_no_agreement) {
  const problem p = problem_of("Lk=3 D=2 seed=8");
  for (double radius : {std::numeric_limits<double>::infinity(), std::nan("")}) {
    certified_answer answer = certify_all(p);
    answer.output[0].radius = radius;
    expect_found(p, answer, "o[");
  }
}

TEST(second_opinion, a_wrong_class_is_detected) {
  const problem p = problem_of("Lq=3 Lk=3 D=2 seed=8");
  certified_answer answer = certify_all(p);
  answer.lse[1] = {std::nan(""), 0, 0};
  expect_found(p, answer, "lse[0, 0, 1");
  answer = certify_all(p);
  answer.output[0] = {std::numeric_limits<double>::infinity(), 0, 0};
  expect_found(p, answer, "o[");
}

TEST(second_opinion, an_answer_of_another_size_is_detected) {
  const problem p = problem_of("Lq=2 Lk=3 D=2 seed=8");
  certified_answer answer = certify_all(p);
  answer.lse.pop_back();
  expect_found(p, answer, "size");
}

// A problem, and the same problem under another convention. why: what must tell them apart.
struct misreading {
  const char* line;
  void (*change)(problem&);
  const char* why;
};

const misreading misreadings[] = {
    {"Hq=4 Hkv=2 Lk=5 D=3", [](problem& p) { p.rules.heads = head_map::tile; }, "head map"},
    {"Lk=5 D=3 bias=bhqk soft_cap=2", [](problem& p) { p.rules.cap = cap_order::after_bias; },
     "cap order"},
    {"Lk=5 D=3", [](problem& p) { p.rules.base = lse_base::two; }, "base of the lse"},
    {"Lq=2 Lk=5 D=3 causal=top_left", [](problem& p) { p.causal = causal_anchor::bottom_right; },
     "anchor"},
    {"Lq=2 Lk=5 D=3", [](problem& p) { p.causal = causal_anchor::top_left; }, "causality"},
    {"Lk=0 D=3", [](problem& p) { p.rules.on_empty_lse = empty_lse::plus_infinity; },
     "lse of an empty row"},
    {"Lk=0 D=3", [](problem& p) { p.rules.on_empty_row = empty_row::nan; }, "empty row"},
    {"Lq=2 Lk=5 D=3 causal=bottom_right window=1,-1", [](problem& p) { p.sliding.left = 2; },
     "left end of the window"},
    {"Lq=2 Lk=5 D=3 window=1,1", [](problem& p) { p.sliding.right = 2; },
     "right end of the window"},
    {"Lk=5 D=3 sink=1", [](problem& p) { p.sink.clear(); }, "sink"},
    {"Lk=5 D=3 sink=1", [](problem& p) { p.rules.sink = lse_sink::left_out; }, "sink in the lse"},
    {"Lk=5 D=3 mask=k soft_cap=2", [](problem& p) { p.rules.cap = cap_order::after_mask; },
     "cap after the mask"},
    {"Lq=2 Lk=5 D=3 window=1,1", [](problem& p) { p.rules.ends = window_ends::exclusive; },
     "ends of the window"},
    {"Lk=2 D=3 bias=bhqk",
     [](problem& p) {
       p.bias->set({0, 0, 0, 0}, -largest_finite(f32));
       p.bias->set({0, 0, 0, 1}, -largest_finite(f32));
       p.rules.on_lowest_bias = lowest_bias::masks;
     },
     "lowest bias"},
    {"Lk=1 D=3 bias=bhqk",
     [](problem& p) {
       p.bias->set({0, 0, 0, 0}, -std::numeric_limits<double>::infinity());
       p.rules.on_infinite_bias = infinite_bias::weighs_0;
     },
     "bias of -inf"},
    {"Lk=5 D=3", [](problem& p) { p.lengths = {4}; }, "length"},
    {"Lk=5 D=3", [](problem& p) { p.scale = -0.25; }, "scale"},
    {"Lk=5 D=3", [](problem& p) { p.soft_cap = 1; }, "soft cap"},
};

TEST(second_opinion, every_convention_makes_a_difference_that_is_seen) {
  for (const misreading& m : misreadings) {
    const problem p = problem_of(std::string(m.line) + " seed=9");
    problem other = p;
    m.change(other);
    EXPECT_EQ(disagreement(other, certify_all(other)), std::nullopt) << m.why;
    EXPECT_NE(disagreement(other, certify_all(p)), std::nullopt) << m.why;
  }
}

TEST(second_opinion, a_bias_of_minus_infinity_removes_and_a_lowest_number_does_not) {
  problem p = problem_of("Lk=2 D=3 bias=bhqk seed=10");
  p.bias->set({0, 0, 0, 0}, -largest_finite(f32));
  EXPECT_EQ(arb_attention(p, {}, 200).keys.size(), 2u);
  EXPECT_EQ(disagreement(p, certify_all(p)), std::nullopt);
  p.bias->set({0, 0, 0, 0}, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(arb_attention(p, {}, 200).keys, (std::vector<std::int64_t>{1}));
  EXPECT_EQ(disagreement(p, certify_all(p)), std::nullopt);
}

TEST(second_opinion, agrees_on_huge_scores) {
  for (const char* line : {"Lq=2 Lk=70 D=8 dtype=f64 scale=1e15 seed=11",
                           "Lq=2 Lk=70 D=8 dtype=f64 scale=1e60 sink=1 seed=12",
                           "Lq=2 Lk=5 D=130 dtype=f64 regime=large_scores scale=-1e20 seed=13"}) {
    const problem p = problem_of(line);
    EXPECT_EQ(disagreement(p, certify_all(p)), std::nullopt) << line;
  }
}

TEST(second_opinion, nan_in_a_kept_key_or_value_is_a_class_of_its_own) {
  for (bool in_value : {false, true}) {
    problem p = problem_of("Lq=2 Lk=4 D=3 Dv=2 seed=14");
    (in_value ? p.v : p.k).set({0, 0, 2, 1}, std::nan(""));
    EXPECT_EQ(disagreement(p, certify_all(p)), std::nullopt) << in_value;
    certified_answer scrubbed = certify_all(p);
    scrubbed.output[1] = {0, 0, 0};
    expect_found(p, scrubbed, "o[0, 0, 0, 1]");
  }
}

}  // namespace
}  // namespace attest::second_opinion
