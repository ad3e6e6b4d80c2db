// What a run makes of the judgements of its problems: counts, shortfalls, exit codes.
#include "properties/run.h"

#include <gtest/gtest.h>

#include <atomic>

#include "properties/judge.h"
#include "properties/time_outs.h"
#include "tests/properties/scripted_subject.h"

namespace attest {
namespace {

std::optional<problem_spec> as_drawn(problem_spec spec, const subject_info&) { return spec; }
std::optional<problem_spec> nothing_to_say(problem_spec, const subject_info&) {
  return std::nullopt;
}

judgement judged(std::int64_t decided, std::int64_t undecided, double ratio = 0.5) {
  judgement j;
  for (std::int64_t n = 0; n < decided; ++n) j.add({"o", "output", 0, 0, 0, ratio});
  j.undecided = undecided;
  j.rows = 10;
  return j;
}

property law_of(judgement (*judge)(const problem_spec&, examiner&)) {
  property law{};
  law.name = "test_law";
  law.groups = feature_set().with(feature::mask).with(feature::sink);
  law.admits = feature_set::all();
  law.base_problems = 14;
  law.adapt = as_drawn;
  law.judge = judge;
  return law;
}

run_result run_of(const property& law, feature_set declared, feature_set required = {}) {
  scripted_subject subject(declared);
  run_options options;
  options.required = required;
  options.properties = {&law};
  return run_properties(subject, options, {});
}

constexpr feature_set no_features;
constexpr feature_set only_mask = feature_set().with(feature::mask);

std::string sentences(const run_result& r) {
  std::string text;
  for (const std::string& s : r.not_judged) text += s + "\n";
  return text;
}

TEST(run, all_hold_is_exit_code_0) {
  const property law = law_of([](const problem_spec&, examiner&) { return judged(5, 0); });
  const run_result r = run_of(law, only_mask);
  EXPECT_EQ(r.outcome(), verdict::holds);
  EXPECT_EQ(r.exit_code(), 0) << sentences(r);
  EXPECT_EQ(r.groups.size(), 3u) << "plain, mask, mixed";
}

TEST(run, one_failing_problem_is_exit_code_1) {
  const property law = law_of([](const problem_spec& spec, examiner&) {
    return judged(5, 0, spec.regime == value_regime::ties ? 2 : 0.5);
  });
  const run_result r = run_of(law, only_mask);
  EXPECT_EQ(r.outcome(), verdict::violated);
  EXPECT_EQ(r.exit_code(), 1);
}

TEST(run, misbehaviour_is_exit_code_1) {
  const property law =
      law_of([](const problem_spec&, examiner&) { return misbehaved("would not"); });
  const run_result r = run_of(law, no_features);
  EXPECT_EQ(r.exit_code(), 1);
  EXPECT_EQ(r.groups.front().reason, "would not");
}

TEST(run, undecided_is_never_a_pass) {
  const property law = law_of([](const problem_spec&, examiner&) { return judged(0, 5); });
  const run_result r = run_of(law, no_features);
  EXPECT_EQ(r.outcome(), verdict::undecided);
  EXPECT_EQ(r.exit_code(), 3);
  EXPECT_EQ(sentences(r), "property test_law: no problem could be judged\n");
}

TEST(run, mostly_undecided_problems_are_not_judged_ones) {
  const property law = law_of([](const problem_spec&, examiner&) { return judged(2, 3); });
  EXPECT_EQ(run_of(law, no_features).exit_code(), 3);
}

TEST(run, a_subject_that_declines_everything_does_not_pass) {
  const property law = law_of([](const problem_spec&, examiner&) { return unsupported("no"); });
  EXPECT_EQ(run_of(law, no_features).exit_code(), 3);
}

TEST(run, a_law_that_says_nothing_does_not_pass) {
  property law = law_of([](const problem_spec&, examiner&) { return judged(5, 0); });
  law.adapt = nothing_to_say;
  const run_result r = run_of(law, no_features);
  EXPECT_EQ(r.outcome(), verdict::undecided);
  EXPECT_EQ(r.exit_code(), 3);
  EXPECT_FALSE(r.not_judged.empty()) << "the report must say why";
}

TEST(run, a_required_feature_that_is_not_declared_is_exit_code_3) {
  const property law = law_of([](const problem_spec&, examiner&) { return judged(5, 0); });
  const run_result r = run_of(law, only_mask, feature_set().with(feature::sink));
  EXPECT_EQ(r.exit_code(), 3);
  EXPECT_EQ(sentences(r), "required feature sink is not declared by the subject\n");
}

TEST(run, a_required_feature_that_is_declared_and_judged_is_fine) {
  const property law = law_of([](const problem_spec&, examiner&) { return judged(5, 0); });
  EXPECT_EQ(run_of(law, only_mask, only_mask).exit_code(), 0);
}

TEST(run, a_failure_wins_over_what_was_not_judged) {
  const property law = law_of([](const problem_spec&, examiner&) { return judged(5, 0, 2); });
  EXPECT_EQ(run_of(law, only_mask, feature_set().with(feature::sink)).exit_code(), 1);
}

std::optional<problem_spec> without_sink(problem_spec spec, const subject_info&) {
  spec.sink = false;
  return spec;
}

TEST(run, a_declared_feature_that_no_problem_shows_is_exit_code_3) {
  property law = law_of([](const problem_spec&, examiner&) { return judged(5, 0); });
  law.adapt = without_sink;
  const run_result r = run_of(law, only_mask.with(feature::sink));
  EXPECT_EQ(r.exit_code(), 3);
  EXPECT_NE(sentences(r).find("feature sink: 0 problems judged (needed: 4)"), std::string::npos)
      << sentences(r);
}

TEST(run, a_declared_feature_that_the_chosen_laws_leave_aside_is_missed_only_if_required) {
  property law = law_of([](const problem_spec&, examiner&) { return judged(5, 0); });
  law.admits = only_mask;
  law.groups = only_mask;
  const feature_set both = only_mask.with(feature::sink);
  EXPECT_EQ(run_of(law, both).exit_code(), 0);
  EXPECT_EQ(run_of(law, both, both).exit_code(), 3);
}

TEST(run, more_than_one_row_in_a_hundred_out_of_domain_is_exit_code_3) {
  const property law = law_of([](const problem_spec& spec, examiner&) {
    judgement j = judged(5, 0);
    j.out_of_domain = spec.regime == value_regime::ties ? 4 : 0;
    return j;
  });
  const run_result r = run_of(law, only_mask);
  EXPECT_EQ(r.exit_code(), 3);
  EXPECT_NE(sentences(r).find("rows out of domain (allowed: 1 %)"), std::string::npos)
      << sentences(r);
}

TEST(run, what_was_interrupted_is_exit_code_3) {
  const property law = law_of([](const problem_spec&, examiner&) { return judged(5, 0); });
  scripted_subject subject(only_mask);
  run_options options;
  options.properties = {&law};
  const run_result r = run_properties(subject, options, [](auto done, auto) { return done < 3; });
  EXPECT_TRUE(r.interrupted);
  EXPECT_EQ(r.exit_code(), 3);
}

TEST(run, progress_is_told_of_every_problem) {
  const property law = law_of([](const problem_spec&, examiner&) { return judged(5, 0); });
  scripted_subject subject(only_mask);
  run_options options;
  options.effort = 2;
  options.properties = {&law};
  std::int64_t last = 0, of = 0;
  run_properties(subject, options,
                 [&](auto done, auto all) { return last = std::max(last, done), of = all, true; });
  EXPECT_EQ(last, of);
  EXPECT_EQ(of, 2 * 3 * 14) << "effort x groups x base";
}

TEST(run, counts_features_where_problems_use_them) {
  const property law = law_of([](const problem_spec&, examiner&) { return judged(5, 0); });
  const run_result r = run_of(law, only_mask);
  ASSERT_EQ(r.coverage.size(), members(feature_set::all()).size());
  const feature_coverage& mask = r.coverage[static_cast<std::size_t>(feature::mask)];
  EXPECT_GE(mask.problems, 14) << "each problem of its own group";
  EXPECT_EQ(mask.judged, mask.problems);
  EXPECT_EQ(mask.rows, 10 * mask.problems);
  EXPECT_EQ(r.coverage[static_cast<std::size_t>(feature::sink)].problems, 0);
}

// ---- Subjects that are given up ----

// Asks the subject, which never answers in time.
judgement ask(const problem_spec& spec, examiner& subject) {
  return subject.ask(materialise(spec)).refusal.value_or(judged(5, 0));
}

run_result run_of_a_subject_that_times_out(int answers_before) {
  time_outs late;
  int answers = 0;
  scripted_subject subject(only_mask, /*concurrent=*/false);
  subject.does([&](problem& p, tensor& o, tensor* lse) {
    late.require_fewer();
    if (answers++ < answers_before) return scripted_subject::answer_rightly(p, o, lse);
    late.count(answer_status::timed_out);
    return answer_outcome{answer_status::timed_out, "gave no answer within 1 s"};
  });
  const property law = law_of(ask);
  run_options options;
  options.properties = {&law};
  return run_properties(subject, options, {});
}

TEST(run, a_subject_that_is_not_asked_any_more_fails_and_the_rest_is_not_judged) {
  const run_result r = run_of_a_subject_that_times_out(0);
  EXPECT_EQ(r.exit_code(), 1);
  EXPECT_EQ(r.outcome(), verdict::timed_out);
  EXPECT_EQ(sentences(r),
            "39 of 42 problems: the subject was not asked any more, as 3 calls in a row ran out of "
            "time (--timeout)\n");
  std::int64_t put = 0;
  for (const group_result& g : r.groups) put += g.problems;
  EXPECT_EQ(put, 3);
}

TEST(run, what_was_answered_before_a_subject_was_given_up_is_judged) {
  const run_result r = run_of_a_subject_that_times_out(20);
  EXPECT_EQ(r.exit_code(), 1);
  EXPECT_EQ(sentences(r).substr(0, 12), "19 of 42 pro");
}

// ---- Counterexamples ----

TEST(run, a_counterexample_is_the_smallest_that_fails_and_uses_only_what_is_declared) {
  const property law = law_of([](const problem_spec& spec, examiner& subject) {
    EXPECT_TRUE(subject.info().features.contains(materialise(spec).asks())) << to_line(spec);
    return judged(5, 0, spec.dims.keys >= 3 ? 2 : 0.5);
  });
  const run_result r = run_of(law, no_features);
  ASSERT_TRUE(r.groups.front().failure);
  const problem_spec& smallest = r.groups.front().failure->problem;
  EXPECT_EQ(smallest.dims, (shape{1, 1, 1, 3, 3, 1, 1})) << to_line(smallest);
  EXPECT_EQ(smallest.regime, value_regime::exact);
}

TEST(run, a_counterexample_shows_the_failure_of_the_small_problem) {
  const property law = law_of([](const problem_spec& spec, examiner&) {
    return judged(5, 0, static_cast<double>(spec.dims.keys));
  });
  const run_result r = run_of(law, feature_set().with(feature::cross_lengths));
  ASSERT_TRUE(r.groups.front().failure);
  const counterexample& c = *r.groups.front().failure;
  EXPECT_EQ(c.found.worst_ratio, static_cast<double>(c.problem.dims.keys));
  EXPECT_EQ(c.replay, "scripted test_law " + to_line(c.problem));
  EXPECT_EQ(c.property, "test_law");
}

}  // namespace
}  // namespace attest
