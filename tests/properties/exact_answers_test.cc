// The law of exact answers on wrong subjects: one key in thousands, in every format.
#include <gtest/gtest.h>

#include <set>

#include "properties/domain/domain.h"
#include "properties/level_problem.h"
#include "properties/property.h"
#include "reference/backends/answer.h"
#include "reference/exact/exact_row.h"
#include "reference/formats/spacing.h"
#include "reference/problems/problem_spec.h"
#include "tests/properties/altered_keys.h"
#include "tests/properties/scripted_subject.h"

namespace attest {
namespace {

// What a wrong subject makes of the keys; `watched` is one that counts.
using key_order = std::vector<std::int64_t> (*)(std::int64_t keys, std::int64_t watched);

std::vector<std::int64_t> unchanged(std::int64_t keys, std::int64_t) { return all_keys(keys); }

std::vector<std::int64_t> one_dropped(std::int64_t keys, std::int64_t watched) {
  auto order = all_keys(keys);
  order.erase(order.begin() + static_cast<std::ptrdiff_t>(watched));
  return order;
}

std::vector<std::int64_t> one_doubled(std::int64_t keys, std::int64_t watched) {
  auto order = all_keys(keys);
  order.push_back(watched);
  return order;
}

std::vector<std::int64_t> one_of_zeros_added(std::int64_t keys, std::int64_t) {
  auto order = all_keys(keys);
  order.push_back(-1);
  return order;
}

std::int64_t key_that_counts(const problem_spec& spec) {
  const level_problem level = make_level_problem(spec);
  auto key = static_cast<std::int64_t>(977 * spec.seed) % spec.dims.keys;
  while (level.is_faint({}, key)) --key;
  return key;
}

// A built-in evaluation of its format's default contract, of the keys in that order.
struct evaluation {
  const char* backend_name;
  const format* inputs;
};

constexpr evaluation evaluations[] = {
    {"float64", &f64},        {"float32", &f32}, {"float32/split-kv=3", &f32},
    {"fp16/online=16", &f16}, {"bf16", &bf16},   {"fp8", &f8_e4m3fn}};

verdict judged(const evaluation& e, std::int64_t keys, key_order altered, std::uint64_t seed) {
  problem_spec spec;
  spec.inputs = e.inputs;
  spec.dims.keys = keys;
  spec.dims.width = 4;
  spec.seed = seed;
  const property& law = find_property("exact_answers_are_exact");
  scripted_subject wrong;
  spec = *law.adapt(spec, wrong.info());
  const std::int64_t watched = key_that_counts(spec);
  wrong.declares().inputs = {e.inputs};
  wrong.does([&](problem& p, tensor& o, tensor* lse) {
    const backend evaluate = find_backend(e.backend_name);
    evaluate.evaluate(evaluate, with_keys(p, altered(keys, watched)), o, lse);
    return answer_outcome{};
  });
  examiner subject(wrong);
  return law.judge(spec, subject).outcome;
}

TEST(exact_answers, hold_for_the_keys_as_they_are) {
  for (const evaluation& e : evaluations)
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
      for (const std::int64_t keys : {1, 256, 4095, 4096})
        EXPECT_EQ(judged(e, keys, unchanged, seed), verdict::holds)
            << e.backend_name << ", " << keys << " keys, seed " << seed;
}

TEST(exact_answers, prove_that_one_key_of_4096_was_dropped) {
  for (const evaluation& e : evaluations)
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
      EXPECT_EQ(judged(e, 4096, one_dropped, seed), verdict::violated) << e.backend_name << seed;
}

TEST(exact_answers, prove_that_one_key_of_4096_counts_twice) {
  for (const evaluation& e : evaluations)
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
      EXPECT_EQ(judged(e, 4096, one_doubled, seed), verdict::violated) << e.backend_name << seed;
}

// A key of zeros is in the denominator alone: how many keys it may hide among is what exp_ulps of
// the contract leaves open.
TEST(exact_answers, prove_that_a_key_of_zeros_was_added) {
  constexpr std::int64_t keys[] = {4096, 4096, 4096, 1024, 256, 16};
  for (std::size_t n = 0; n < std::size(keys); ++n)
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
      EXPECT_EQ(judged(evaluations[n], keys[n], one_of_zeros_added, seed), verdict::violated)
          << evaluations[n].backend_name << ", seed " << seed;
}

// ---- What the problems are ----

TEST(level_problem, meets_every_broadcast_pattern_of_a_mask) {
  const property& law = find_property("exact_answers_are_exact");
  subject_info info;
  info.features = feature_set::all();
  info.inputs = {&f32};
  std::set<unsigned> met;
  for (std::int64_t n = 0; n < law.base_problems; ++n)
    if (const auto spec =
            draw_spec(law, info, {feature_group::kind::single, feature::mask}, {1, n}))
      met.insert(*spec->mask_axes);
  EXPECT_EQ(met.size(), 16u);
}

problem_spec drawn(feature f, std::int64_t n) {
  subject_info info;
  info.features = feature_set().with(f).with(feature::bias).with(feature::cross_lengths);
  if (f == feature::global_keys) info.features = info.features.with(feature::window);
  info.inputs = {&f32};
  return *draw_spec(find_property("exact_answers_are_exact"), info,
                    {feature_group::kind::single, f}, {1, n});
}

// How many rows of the group's problems have 2^n keys that count, of all that have any.
double share_of_powers(feature f) {
  double powers = 0, rows = 0;
  for (std::int64_t n = 0; n < 16; ++n) {
    const level_problem level = make_level_problem(drawn(f, n));
    for_each_row(level.posed.dims, [&](const row_index& row) {
      const double keys = count_level_row(level, row).row.keys;
      rows += keys > 0 ? 1 : 0;
      powers += is_power_of_two(keys) ? 1 : 0;
    });
  }
  return powers / rows;
}

TEST(level_problem, features_that_count_keys_leave_powers_of_two) {
  for (const feature f : {feature::sink, feature::strides, feature::soft_cap})
    EXPECT_GT(share_of_powers(f), 0.5) << name_of(f);
  for (const feature f : {feature::mask, feature::lengths, feature::window})
    EXPECT_GT(share_of_powers(f), 0.5) << name_of(f);
}

TEST(level_problem, scores_are_0_or_far_below_in_every_problem) {
  std::int64_t level_keys = 0, faint_keys = 0;
  for (const feature f : members(find_property("exact_answers_are_exact").groups))
    for (std::int64_t n = 0; n < 16; ++n) {
      const level_problem level = make_level_problem(drawn(f, n));
      for_each_row(level.posed.dims, [&](const row_index& place) {
        for (const exact_key& key : compute_exact_row(level.posed, place).keys) {
          const bool faint = key.key != sink_key && level.is_faint(place, key.key);
          (faint ? faint_keys : level_keys) += 1;
          EXPECT_TRUE(faint ? key.logit <= -1000 : key.logit == 0) << key.logit;
        }
      });
    }
  EXPECT_GT(level_keys, 1000);
  EXPECT_GT(faint_keys, 1000);
}

}  // namespace
}  // namespace attest
