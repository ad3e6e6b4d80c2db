// Problems of linear attention: their lines, what is drawn, what is refused.
#include "properties/recurrence/recurrence_spec.h"

#include <gtest/gtest.h>

#include <set>

#include "properties/recurrence/altered_recurrence.h"
#include "properties/recurrence/recurrence_problem.h"
#include "properties/recurrence/smaller_recurrences.h"
#include "reference/input_error.h"

namespace attest {
namespace {

const std::vector<const format*> every_input{&f64, &f32, &f16, &bf16};

recurrence_spec drawn(std::uint64_t n, recurrence_features asked = {}) {
  return draw_recurrence(7, n, recurrence_features::all(), asked, every_input);
}

TEST(recurrence_line, reads_back_what_it_wrote) {
  for (std::uint64_t n = 0; n < 500; ++n) {
    const recurrence_spec s = drawn(n);
    EXPECT_EQ(parse_recurrence_line(to_line(s)), s) << to_line(s);
  }
}

TEST(recurrence_line, leaves_defaults_out) {
  EXPECT_EQ(to_line(parse_recurrence_line("L=3 seed=5")),
            "B=1 Hq=1 Hkv=1 L=3 D=1 Dv=1 dtype=f32 seed=5");
}

TEST(recurrence_line, refuses_what_is_no_problem) {
  for (const char* line : {"L=0",
                           "L=x",
                           "Hq=3 Hkv=2",
                           "dtype=f8_e5m2",
                           "rule=gated",
                           "erase=1",
                           "normalised=1",
                           "normalised=1 map=elu_plus_1 state_in=1",
                           "normalised=1 map=elu_plus_1 rule=delta",
                           "normalised=1 map=elu_plus_1 scale=2",
                           "scale=inf",
                           "layout=far",
                           "L=2 L=3",
                           "Lq=2",
                           "L",
                           "L=100000 D=4096",
                           "map=exp_features",
                           "A=2",
                           "map=exp_features A=0",
                           "map=exp_features A=16777217",
                           "map=relu normalised=1"})
    EXPECT_THROW(parse_recurrence_line(line), input_error) << line;
}

TEST(drawn_recurrence, asks_what_it_must_and_nothing_that_is_not_allowed) {
  for (recurrence_feature each : members(recurrence_features::all())) {
    recurrence_features asked = recurrence_features().with(each);
    if (each == recurrence_feature::erase) asked = asked.with(recurrence_feature::delta);
    for (std::uint64_t n = 0; n < 50; ++n)
      EXPECT_TRUE(features_of(drawn(n, asked)).contains(asked)) << to_line(drawn(n, asked));
  }
  const recurrence_features few =
      recurrence_features().with(recurrence_feature::sum).with(recurrence_feature::relu);
  for (std::uint64_t n = 0; n < 200; ++n)
    EXPECT_EQ(features_of(draw_recurrence(7, n, few, {}, every_input)), few);
}

TEST(drawn_recurrence, is_a_problem_of_its_line_and_has_every_kind) {
  recurrence_features seen;
  for (std::uint64_t n = 0; n < 500; ++n) {
    const recurrence_spec s = drawn(n);
    EXPECT_NO_THROW(parse_recurrence_line(to_line(s)));
    seen = recurrence_features(seen.bits() | features_of(s).bits());
  }
  EXPECT_EQ(seen, recurrence_features::all());
}

// A line stands for the same bits on any machine.
TEST(materialised_recurrence, is_pinned) {
  const recurrence_problem p = materialise(parse_recurrence_line(
      "B=2 Hq=2 Hkv=1 L=3 D=2 Dv=1 dtype=f32 rule=delta decay=channel state_in=1 seed=5"));
  EXPECT_EQ(p.posed.q.at(1, 1, 2, 1), 0x1.28bc02p-1);
  EXPECT_EQ(p.posed.k.at(1, 0, 2, 1), 0x1.91b0d4p-2);
  EXPECT_EQ(p.posed.decay->at(1, 0, 2, 1), -0x1.f6782p-3);
  EXPECT_EQ(p.posed.rate->at(1, 0, 2, 0), 0x1.fe12c4p-1);
  EXPECT_EQ(p.posed.state->at(1, 0, 1, 0), -0x1.95144cp-5);
}

TEST(materialised_recurrence, of_a_head_has_one_decay) {
  const recurrence_problem p =
      materialise(parse_recurrence_line("B=2 Hq=2 Hkv=2 L=3 D=2 Dv=2 decay=head seed=5"));
  EXPECT_EQ(p.posed.decay->where().strides, (index4{0, 1, 0, 0}));
  EXPECT_EQ(p.posed.decay->at(0, 1, 0, 0), p.posed.decay->at(1, 1, 2, 0));
  EXPECT_NE(p.posed.decay->at(0, 0, 0, 0), p.posed.decay->at(0, 1, 0, 0));
}

TEST(materialised_recurrence, of_draws_has_their_number_of_channels) {
  const recurrence_problem p = materialise(parse_recurrence_line(
      "B=2 Hq=4 Hkv=2 L=3 D=2 Dv=1 A=5 rule=delta decay=channel erase=1 map=exp_features "
      "state_in=1 seed=5"));
  EXPECT_EQ(p.posed.draws->sizes(), (index4{1, 2, 5, 2}));
  EXPECT_EQ(p.posed.decay->sizes(), (index4{2, 2, 3, 5}));
  EXPECT_EQ(p.posed.erase->sizes(), (index4{2, 2, 3, 5}));
  EXPECT_EQ(p.posed.state->sizes(), (index4{2, 2, 5, 1}));
  EXPECT_NE(p.posed.draws->at(0, 0, 0, 0), p.posed.draws->at(0, 1, 0, 0)) << "a KV head's own";
}

TEST(altered_recurrence, takes_draws_with_their_heads) {
  const std::string line = "Hq=4 Hkv=2 L=2 D=2 Dv=2 A=3 map=exp_features seed=";
  const recurrence_problem one = materialise(parse_recurrence_line(line + "5")),
                           other = materialise(parse_recurrence_line(line + "6"));
  const tensor &of_one = *one.posed.draws, &of_other = *other.posed.draws;
  shape expanded = one.posed.dims;
  expanded.kv_heads = 4;
  const recurrence_problem part = part_of(one, expanded, {.heads_each = 2});
  const recurrence_problem both =
      mixed(one, other, [](std::int64_t, std::int64_t g, std::int64_t) { return g == 1; });
  for_each_index(of_one.sizes(), [&](const index4& i) {
    EXPECT_EQ(part.posed.draws->at(0, 2 * i[1] + 1, i[2], i[3]), of_one.at(i));
    EXPECT_EQ(both.posed.draws->at(i), i[1] == 1 ? of_other.at(i) : of_one.at(i));
  });
}

TEST(smaller_recurrence, of_draws_has_fewer_or_none) {
  const recurrence_spec s = parse_recurrence_line("L=2 A=4 map=exp_features normalised=1 seed=5");
  std::set<std::int64_t> draws;
  for (const recurrence_spec& smaller : smaller_recurrences(s, recurrence_features::all())) {
    EXPECT_NO_THROW(parse_recurrence_line(to_line(smaller))) << to_line(smaller);
    draws.insert(smaller.draws);
  }
  EXPECT_EQ(draws, (std::set<std::int64_t>{0, 1, 2, 3, 4}));
}

TEST(smaller_recurrence, is_another_problem_that_asks_no_more) {
  for (std::uint64_t n = 0; n < 100; ++n) {
    const recurrence_spec s = drawn(n);
    const recurrence_features allowed =
        features_of(s).with(recurrence_feature::sum).with(recurrence_feature::identity);
    for (const recurrence_spec& smaller : smaller_recurrences(s, allowed)) {
      EXPECT_NE(smaller, s);
      EXPECT_TRUE(allowed.contains(features_of(smaller))) << to_line(smaller);
      EXPECT_NO_THROW(parse_recurrence_line(to_line(smaller))) << to_line(smaller);
    }
  }
}

}  // namespace
}  // namespace attest
