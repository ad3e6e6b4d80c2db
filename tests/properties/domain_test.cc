// What is drawn, and how a failing problem is made smaller.
#include "properties/domain/domain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "reference/random.h"

namespace attest {
namespace {

constexpr std::uint64_t seed = 20261129;
constexpr std::int64_t turn = 14;  // draws in which each regime comes up once

subject_info subject_with(feature_set features, std::vector<const format*> inputs = {&f32}) {
  subject_info info;
  info.features = features;
  info.inputs = std::move(inputs);
  info.lse_is_optional = true;
  return info;
}

const subject_info able = subject_with(feature_set::all(), {&f32, &f16});

// Calls visit(law, group) for every group of every law on the subject.
template <class Visit>
void for_each_group(const subject_info& subject, Visit visit) {
  for (const property* law : catalogue())
    for (const feature_group& group : groups_for(*law, subject)) visit(*law, group);
}

std::string line_of(const property& law, const subject_info& subject, const feature_group& group,
                    const draw& d) {
  const auto spec = draw_spec(law, subject, group, d);
  return spec ? to_line(*spec) : "nothing";
}

// ---- Draws ----

TEST(draw_spec, the_same_draw_is_the_same_problem) {
  for_each_group(able, [](const property& law, const feature_group& group) {
    for (std::int64_t n = 0; n < 3; ++n)
      EXPECT_EQ(line_of(law, able, group, {seed, n}), line_of(law, able, group, {seed, n}));
  });
}

TEST(draw_spec, another_seed_group_law_or_index_is_another_problem) {
  std::set<std::string> lines;
  std::size_t drawn = 0;
  for_each_group(able, [&](const property& law, const feature_group& group) {
    for (const draw d : {draw{seed, 0}, draw{seed, 1}, draw{seed + 1, 0}}) {
      const auto spec = draw_spec(law, able, group, d);
      if (spec) lines.insert(to_line(*spec)), ++drawn;
    }
  });
  EXPECT_EQ(lines.size(), drawn);
}

void expect_within(const property& law, const subject_info& subject, const feature_group& group) {
  for (std::int64_t n = 0; n < 4; ++n) {
    const auto spec = draw_spec(law, subject, group, {seed, n});
    if (!spec) continue;
    const feature_set asked = materialise(*spec).asks();
    EXPECT_TRUE(subject.features.contains(asked))
        << to_string(subject.features) << ": " << to_line(*spec);
    EXPECT_TRUE(law.admits.contains(asked))
        << law.name << " in " << group.name() << ": " << to_line(*spec);
  }
}

TEST(draw_spec, uses_only_features_that_are_declared_and_admitted) {
  std::vector<feature_set> declared{feature_set(), feature_set::all()};
  for (feature f : members(feature_set::all())) {
    const bool alone = static_cast<int>(f) % 2 == 0;
    declared.push_back(alone ? feature_set().with(f) : feature_set::all().without(f));
  }
  for (std::uint64_t n = 0; n < 4; ++n)
    declared.push_back(feature_set(random_bits(seed, 0, n) & feature_set::all().bits()));
  for (feature_set features : declared) {
    const subject_info subject = subject_with(features);
    for_each_group(subject, [&](const property& law, const feature_group& group) {
      expect_within(law, subject, group);
    });
  }
}

TEST(draw_spec, uses_only_inputs_and_the_profile_that_are_declared) {
  subject_info subject = subject_with(feature_set::all(), {&bf16, &f64});
  subject.profile = "torch-sdpa";
  for_each_group(subject, [&](const property& law, const feature_group& group) {
    std::set<std::string_view> inputs;
    for (std::int64_t n = 0; n < 4; ++n)
      if (const auto spec = draw_spec(law, subject, group, {seed, n})) {
        inputs.insert(spec->inputs->name);
        EXPECT_EQ(spec->profile, "torch-sdpa");
      }
    for (std::string_view name : inputs) EXPECT_TRUE(name == "bf16" || name == "f64") << name;
  });
}

TEST(draw_spec, a_group_of_one_feature_surely_uses_it) {
  for_each_group(able, [&](const property& law, const feature_group& group) {
    if (group.what != feature_group::kind::single || group.always == feature::lse) return;
    std::int64_t drawn = 0;
    for (std::int64_t n = 0; n < turn; ++n) {
      const auto spec = draw_spec(law, able, group, {seed, n});
      if (!spec) continue;
      ++drawn;
      EXPECT_TRUE(materialise(*spec).asks().has(group.always))
          << law.name << " in " << group.name() << ": " << to_line(*spec);
    }
    EXPECT_GT(drawn, turn / 2) << law.name << " in " << group.name();
  });
}

TEST(draw_spec, the_plain_group_uses_no_feature) {
  for (const property* law : catalogue()) {
    if (!law->plain_group) continue;
    for (std::int64_t n = 0; n < turn; ++n) {
      const auto spec = draw_spec(*law, subject_with(feature_set()), {}, {seed, n});
      EXPECT_TRUE(!spec || materialise(*spec).asks().empty()) << to_line(*spec);
    }
  }
}

// matches_definition leaves regimes as they are drawn.
std::map<value_regime, int> regimes_in(const feature_group& group, const subject_info& subject,
                                       std::int64_t first, std::int64_t count,
                                       const format* only = nullptr) {
  std::map<value_regime, int> times;
  for (std::int64_t n = first; n < first + count; ++n)
    if (const auto spec = draw_spec(find_property("matches_definition"), subject, group, {seed, n}))
      if (only == nullptr || spec->inputs == only) ++times[spec->regime];
  return times;
}

TEST(draw_spec, each_regime_comes_once_in_14_draws) {
  for (const feature_group& group : groups_for(find_property("matches_definition"), able)) {
    const bool by_turns = group.what != feature_group::kind::long_row && !group.is_large();
    if (!by_turns) continue;
    for (const std::int64_t first : {std::int64_t{0}, turn, 9 * turn}) {
      const auto times = regimes_in(group, able, first, turn);
      EXPECT_EQ(times.size(), all_regimes().size()) << group.name();
      for (const auto& [regime, count] : times)
        EXPECT_EQ(count, 1) << group.name() << ' ' << name_of(regime);
    }
  }
}

TEST(draw_spec, each_input_format_meets_every_regime) {
  const std::vector<const format*> formats{&f64, &f32, &f16, &bf16};
  for (std::size_t count = 1; count <= formats.size(); ++count) {
    const subject_info subject =
        subject_with(feature_set::all(),
                     {formats.begin(), formats.begin() + static_cast<std::ptrdiff_t>(count)});
    for (const format* inputs : subject.inputs)
      EXPECT_EQ(
          regimes_in({}, subject, 0, 2 * static_cast<std::int64_t>(count) * turn, inputs).size(),
          all_regimes().size())
          << inputs->name << " of " << count;
  }
}

TEST(draw_spec, long_rows_are_long) {
  const subject_info plain = subject_with(feature_set());
  const feature_group long_row{feature_group::kind::long_row, {}};
  for (std::int64_t n = 0; n < 6; ++n) {
    EXPECT_GE(draw_spec(find_property("rows_sum_to_1"), able, long_row, {seed, n})->dims.keys, 255);
    EXPECT_GE(draw_spec(find_property("rows_sum_to_1"), plain, long_row, {seed, n})->dims.keys,
              255);
  }
}

// Sums of 8, 11 and 12 bits stall, 16-bit floats overflow, tiles end: each with its neighbours.
TEST(draw_spec, the_laws_together_meet_every_long_row_in_every_format) {
  const std::set<std::int64_t> every{255,  256,  257,  511,  512,  513,  1023, 1024, 1025,  2047,
                                     2048, 2049, 4095, 4096, 4097, 8191, 8192, 8193, 131072};
  const subject_info two = subject_with(feature_set::all(), {&f16, &bf16});
  for (const format* inputs : two.inputs) {
    std::set<std::int64_t> met;
    for (const property* law : catalogue())
      for (std::int64_t n = 0; law->long_rows && n < 2 * long_rows_of_a_law; ++n)
        if (const auto spec = draw_spec(*law, two, {feature_group::kind::long_row, {}}, {seed, n}))
          if (spec->inputs == inputs) met.insert(spec->dims.keys);
    EXPECT_EQ(met, every) << inputs->name;
  }
}

// What kernels have paths of their own for, with any features and without.
TEST(draw_spec, large_calls_have_wide_heads_many_heads_tiles_and_splits) {
  const property& law = find_property("matches_definition");
  const feature_group large{feature_group::kind::large, {}};
  for (const subject_info& subject : {able, subject_with(feature_set())}) {
    std::set<std::string> met;
    for (std::int64_t n = 0; n < problems_in(law, large, subject); ++n) {
      const shape s = draw_spec(law, subject, large, {seed, n})->dims;
      const bool is_able = subject.features.has(feature::cross_lengths);
      if (s.width >= 64 && s.width % 8 == 0) met.insert("even width");
      if (s.width > 32 && s.width % 8 != 0) met.insert("odd width");
      if (s.value_width >= 64) met.insert("wide values");
      if (s.queries > 64 && s.keys > 64) met.insert("several tiles of queries and keys");
      if (s.query_heads >= 16) met.insert("many heads");
      if (s.batch > 4) met.insert("many batch rows");
      if (s.keys > 257) met.insert("long keys");
      if (!is_able || s.query_heads > 4 * s.kv_heads) met.insert("large groups");
      if (!is_able || (s.keys > 257 && s.queries > 1 && s.queries < 9)) met.insert("drafts");
    }
    EXPECT_EQ(met.size(), 9u) << to_string(subject.features);
  }
}

TEST(draw_spec, large_calls_use_each_feature_on_each_path) {
  constexpr std::int64_t paths = 5;
  const property& law = find_property("matches_definition");
  const feature_group large{feature_group::kind::large, {}};
  const subject_info subject = subject_with(feature_set::all());
  std::map<std::int64_t, feature_set> used;
  for (std::int64_t n = 0; n < problems_in(law, large, subject); ++n) {
    const auto spec = draw_spec(law, subject, large, {seed, n});
    feature_set& of_path = used[n % paths];
    of_path = feature_set(of_path.bits() | materialise(*spec).asks().bits());
  }
  for (const auto& [path, features] : used)
    EXPECT_TRUE(features.with(feature::lse) == feature_set::all()) << path;
}

// More than indices of 16 and 20 bits and grids of 2^16 hold, within ten million products.
TEST(draw_spec, vast_calls_have_more_of_everything_than_narrow_indices_count) {
  const property& law = find_property("matches_definition");
  const feature_group vast{feature_group::kind::vast, {}};
  std::set<std::string> met;
  for (const subject_info& subject : {able, subject_with(feature_set())})
    for (std::int64_t n = 0; n < problems_in(law, vast, subject); ++n) {
      const shape s = draw_spec(law, subject, vast, {seed, n})->dims;
      const std::int64_t heads = s.batch * s.query_heads, scores = heads * s.queries * s.keys;
      EXPECT_LE(scores * (s.width + s.value_width), 11'000'000);
      if (scores > 1 << 20) met.insert("scores");
      if (heads > 1 << 16) met.insert("heads");
      if (s.keys > 1 << 16) met.insert("keys");
      if (s.keys > 4096 && s.queries > 9) met.insert("keys under several queries");
      if (s.queries > 2048) met.insert("queries");
      if (s.queries > 128 && s.keys > 128 && s.width >= 128 && s.value_width >= 128)
        met.insert("wide tiles");
    }
  EXPECT_EQ(met.size(), 6u);
}

// What is met once meets values by which heads, rows and keys can be told apart.
TEST(draw_spec, vast_calls_hide_nothing) {
  const property& law = find_property("matches_definition");
  const feature_group vast{feature_group::kind::vast, {}};
  for (std::uint64_t other_seed = 0; other_seed < 40; ++other_seed)
    for (std::int64_t n = 0; n < problems_in(law, vast, able); ++n) {
      const problem_spec spec = *draw_spec(law, able, vast, {other_seed, n});
      EXPECT_TRUE(spec.regime != value_regime::one_hot && spec.regime != value_regime::constant &&
                  spec.placed != layout::shared && spec.scale != 0)
          << to_line(spec);
    }
}

TEST(draw_spec, pages_divide_the_keys_or_not_and_hold_one_or_all) {
  const property& law = find_property("matches_definition");
  std::int64_t one = 0, several = 0, all = 0, more = 0;
  for (const feature_group& group : {feature_group{feature_group::kind::single, feature::pages},
                                     feature_group{feature_group::kind::mixed, {}}})
    for (std::int64_t n = 0; n < 200; ++n) {
      const problem_spec spec = *draw_spec(law, able, group, {seed, n});
      const std::int64_t keys = spec.dims.keys;
      one += spec.page == 1;
      several += spec.page > 1 && spec.page < keys && keys % spec.page != 0;
      all += spec.page == keys;
      more += spec.page > keys;
    }
  for (const std::int64_t count : {one, several, all, more}) EXPECT_GT(count, 10);
}

TEST(draw_spec, pages_of_a_group_of_their_own_end_within_batch_rows) {
  for (std::int64_t n = 0; n < 50; ++n) {
    const auto spec = draw_spec(find_property("matches_definition"), able,
                                {feature_group::kind::single, feature::pages}, {seed, n});
    EXPECT_TRUE(spec->page > 0 && spec->ragged) << to_line(*spec);
  }
}

TEST(draw_spec, a_line_gives_back_the_2000_problems_it_was_written_for) {
  std::int64_t drawn = 0;
  for (std::int64_t n = 0; drawn < 2000; ++n)
    for_each_group(able, [&](const property& law, const feature_group& group) {
      const auto spec = draw_spec(law, able, group, {seed, n});
      if (!spec) return;
      ++drawn;
      EXPECT_TRUE(parse_problem_line(to_line(*spec)) == *spec) << to_line(*spec);
    });
}

// ---- Groups ----

std::string names_of(const std::vector<feature_group>& groups) {
  std::string names;
  for (const feature_group& g : groups) names += g.name() + " ";
  return names;
}

TEST(groups_for, has_one_for_each_declared_feature_of_the_law) {
  const property& law = find_property("matches_definition");
  EXPECT_EQ(names_of(groups_for(law, subject_with(feature_set()))), "plain long_row large vast ");
  EXPECT_EQ(
      names_of(groups_for(law, subject_with(feature_set().with(feature::mask).with(feature::lse)))),
      "plain mask lse mixed long_row large vast ");
  EXPECT_EQ(names_of(groups_for(find_property("masked_keys_weigh_0"),
                                subject_with(feature_set().with(feature::sink)))),
            "");
}

// ---- Shrinking ----

using predicate = std::function<bool(const problem_spec&)>;

struct shrunk {
  problem_spec smallest;
  int tries = 0;
};

shrunk shrink(const problem_spec& start, const predicate& fails, int most_tries = 10000) {
  shrunk s;
  s.smallest = shrink_spec(
      start, [&](const problem_spec& spec) { return ++s.tries, fails(spec); }, most_tries);
  return s;
}

// Drawn problems with all kinds of features.
std::vector<problem_spec> drawn_problems() {
  std::vector<problem_spec> specs;
  for (std::int64_t n = 0; n < 40; ++n)
    specs.push_back(*draw_spec(find_property("matches_definition"), able,
                               {feature_group::kind::mixed, {}}, {seed, n}));
  return specs;
}

struct defect {
  const char* needs;
  predicate shows;
};

const std::vector<defect>& defects() {
  static const std::vector<defect> list{
      {"anything", [](const problem_spec&) { return true; }},
      {"5 columns", [](const problem_spec& s) { return s.dims.width >= 5; }},
      {"3 keys", [](const problem_spec& s) { return s.dims.keys >= 3; }},
      {"3 values a key", [](const problem_spec& s) { return s.dims.value_width >= 3; }},
      {"a mask", [](const problem_spec& s) { return s.mask_axes.has_value(); }},
      {"unequal lengths", [](const problem_spec& s) { return s.dims.queries != s.dims.keys; }},
      {"unequal widths", [](const problem_spec& s) { return s.dims.width != s.dims.value_width; }},
      {"pages of 3 keys", [](const problem_spec& s) { return s.page >= 3; }},
      {"a bias of -inf", [](const problem_spec& s) { return s.infinite_bias; }},
      {"a causal mask and 2 keys",
       [](const problem_spec& s) { return s.causal != causal_anchor::none && s.dims.keys >= 2; }},
      {"an odd size", [](const problem_spec& s) { return (s.dims.keys + s.dims.width) % 2 == 1; }},
      {"heads in groups",
       [](const problem_spec& s) { return s.dims.query_heads > s.dims.kv_heads; }},
      {"several KV heads", [](const problem_spec& s) { return s.dims.kv_heads > 1; }},
      {"large scores or outliers",
       [](const problem_spec& s) {
         return s.regime == value_regime::large_scores || s.regime == value_regime::outliers;
       }},
      {"a seed that is a multiple of 3", [](const problem_spec& s) { return s.seed % 3 == 0; }},
  };
  return list;
}

template <class Check>
void for_each_failing(Check check) {
  for (const defect& d : defects())
    for (const problem_spec& spec : drawn_problems())
      if (d.shows(spec)) {
        SCOPED_TRACE(std::string(d.needs) + ": " + to_line(spec));
        check(d, spec);
      }
}

TEST(shrink_spec, what_it_returns_still_fails_and_is_a_problem) {
  for_each_failing([](const defect& d, const problem_spec& spec) {
    const problem_spec smallest = shrink(spec, d.shows).smallest;
    EXPECT_TRUE(d.shows(smallest)) << to_line(smallest);
    EXPECT_NO_THROW(validate(smallest)) << to_line(smallest);
  });
}

TEST(shrink_spec, no_simplification_of_what_it_returns_fails) {
  for_each_failing([](const defect& d, const problem_spec& spec) {
    const shrunk first = shrink(spec, d.shows);
    EXPECT_LT(first.tries, 10000) << "it ends by itself";
    EXPECT_TRUE(shrink(first.smallest, d.shows).smallest == first.smallest)
        << to_line(first.smallest);
  });
}

TEST(shrink_spec, never_tries_more_than_it_may) {
  for_each_failing([](const defect& d, const problem_spec& spec) {
    for (const int most : {0, 1, 7}) EXPECT_LE(shrink(spec, d.shows, most).tries, most);
  });
}

TEST(shrink_spec, without_tries_gives_back_what_it_got) {
  for (const problem_spec& spec : drawn_problems())
    EXPECT_TRUE(shrink(
                    spec, [](auto&) { return true; }, 0)
                    .smallest == spec);
}

TEST(shrink_spec, leaves_only_what_the_defect_needs) {
  for (const problem_spec& spec : drawn_problems()) {
    const problem_spec least = shrink(spec, [](auto&) { return true; }).smallest;
    EXPECT_EQ(least.dims, shape{}) << to_line(spec);
    EXPECT_TRUE(materialise(least).asks().empty()) << to_line(least);
    EXPECT_EQ(least.regime, value_regime::exact);
    EXPECT_LT(least.seed, 8u);
  }
}

// A subject is never asked for what it does not declare: not by a smaller problem either.
TEST(shrink_spec, adds_no_feature) {
  const subject_info plain = subject_with(feature_set());
  for (const defect& d : defects())
    for (std::int64_t n = 0; n < 2 * turn; ++n) {
      const auto spec = draw_spec(find_property("matches_definition"), plain, {}, {seed, n});
      if (!d.shows(*spec)) continue;
      shrink(*spec, [&](const problem_spec& smaller) {
        EXPECT_TRUE(materialise(smaller).asks().empty()) << d.needs << ": " << to_line(smaller);
        return d.shows(smaller);
      });
    }
}

}  // namespace
}  // namespace attest
