#include "properties/run.h"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "properties/catalogue/catalogue.h"
#include "properties/real_shape.h"
#include "properties/time_outs.h"
#include "reference/semantics/profiles.h"

namespace attest {
namespace {

// A trial of a run: where its result belongs, and what became of it.
struct task {
  std::size_t group = 0;
  const property* law = nullptr;
  problem_spec spec;
  judgement found = {};
  bool done = false;
  std::string not_asked = {};  // why it was not put to the subject
};

void add_group(std::vector<trial>& trials, const subject_info& subject, const run_options& options,
               const property& law, const feature_group& group) {
  const int problems = options.effort * problems_in(law, group, subject);
  for (int index = 0; index < problems; ++index)
    if (auto spec = draw_spec(law, subject, group, {options.seed, index}))
      trials.push_back({&law, group.name(), std::move(*spec)});
}

// The problems of the shape that is given, as one group of the law that samples rows.
std::vector<trial> shape_trials(const subject_info& subject, run_options& options) {
  const property* const law = &sampled_rows_match_definition;
  options.properties = {law};
  options.shrink_tries = 0;
  std::vector<trial> trials;
  for (problem_spec& spec : draw_problems_of(*options.dims, subject, options.seed, options.effort))
    trials.push_back({law, "shape", std::move(spec)});
  return trials;
}

std::vector<trial> draw_trials(const subject_info& subject, run_options& options) {
  if (options.dims) return shape_trials(subject, options);
  std::vector<trial> trials;
  for (const property* law : options.properties)
    for (const feature_group& group : groups_for(*law, subject))
      add_group(trials, subject, options, *law, group);
  return trials;
}

// One task a trial, and one group of the result for those of a group.
std::vector<task> add_tasks(run_result& result, const std::vector<trial>& trials) {
  std::vector<task> tasks;
  for (const trial& t : trials) {
    const auto& groups = result.groups;
    if (groups.empty() || groups.back().law != t.law || groups.back().group != t.group) {
      group_result fresh;
      fresh.law = t.law;
      fresh.group = t.group;
      result.groups.push_back(std::move(fresh));
    }
    tasks.push_back({result.groups.size() - 1, t.law, t.spec});
  }
  return tasks;
}

void carry_out(task& t, const trial_judge& judge) {
  try {
    t.found = judge(*t.law, t.spec);
    t.done = true;
  } catch (const not_asked& e) {
    t.not_asked = e.what();
  }
}

// Runs so many tasks at once. Each result lands in its own place, so their order does not matter.
bool carry_out(std::vector<task>& tasks, const trial_judge& judge, int threads,
               const progress& report) {
  std::atomic<bool> stop{false};
  std::atomic<std::int64_t> done{0};
  std::mutex reporting;
  const auto carry_out_one = [&](std::size_t n) {
    if (stop) return;
    carry_out(tasks[n], judge);
    const std::int64_t count = ++done;
    const std::lock_guard lock(reporting);
    if (report && !report(count, static_cast<std::int64_t>(tasks.size()))) stop = true;
  };
  oneapi::tbb::task_arena arena(threads);
  arena.execute([&] { tbb::parallel_for(std::size_t{0}, tasks.size(), carry_out_one); });
  return !stop;
}

void count(group_result& group, const judgement& j) {
  ++group.problems;
  group.judged_problems += is_judged(j) ? 1 : 0;
  group.judged += j.judged;
  group.undecided += j.undecided;
  group.out_of_domain += j.out_of_domain;
  group.rows += j.rows;
  if (j.outcome == verdict::undecided && !j.reason.empty()) group.reason = j.reason;
  group.differences += j.differences;
  group.outcome = group.problems == 1 ? j.outcome : worse(group.outcome, j.outcome);
  if (!is_failure(j.outcome)) group.worst_ratio = std::max(group.worst_ratio, j.worst_ratio);
}

// Of a problem that could not be posed, nothing.
feature_set asked_features(const task& t, const subject_info& subject) {
  if (t.found.outcome == verdict::undecided && !t.found.reason.empty()) return {};
  const feature_set asked = materialise(t.spec).asks();
  return subject.features.has(feature::lse) ? asked.with(feature::lse) : asked;
}

void count(std::vector<feature_coverage>& coverage, const task& t, const subject_info& subject) {
  for (feature f : members(asked_features(t, subject))) {
    feature_coverage& entry = *std::find_if(coverage.begin(), coverage.end(),
                                            [f](const feature_coverage& c) { return c.what == f; });
    ++entry.problems;
    const bool judged = is_judged(t.found), refused = t.found.outcome == verdict::unsupported;
    entry.judged += judged ? 1 : 0;
    entry.unsupported += refused ? 1 : 0;
    entry.undecided += judged || refused || is_failure(t.found.outcome) ? 0 : 1;
    entry.rows += t.found.rows;
    entry.out_of_domain += t.found.out_of_domain;
  }
}

void count(std::vector<forgiven_share>& shares, const task& t) {
  const auto is_of = [&](const forgiven_share& s) { return *s.inputs == *t.spec.inputs; };
  auto found = std::find_if(shares.begin(), shares.end(), is_of);
  if (found == shares.end()) found = shares.insert(found, {t.spec.inputs, 0, 0, 0});
  found->comparisons += t.found.scaled;
  found->undecided += t.found.undecided;
  found->share_sum += t.found.share_sum;
}

std::vector<feature_coverage> empty_coverage(const run_result& result) {
  std::vector<feature_coverage> coverage;
  for (feature f : members(feature_set::all()))
    coverage.push_back({f, result.subject.features.has(f), result.options.required.has(f)});
  return coverage;
}

// A subject that is not asked any more shows nothing.
judgement judge_if_asked(const trial_judge& judge, const property& law, const problem_spec& spec) {
  try {
    return judge(law, spec);
  } catch (const not_asked& e) {
    return skipped(e.what());
  }
}

counterexample explain(const task& t, const subject_info& subject, const trial_judge& judge,
                       int tries) {
  counterexample c;
  c.property = t.law->name;
  c.drawn = t.spec;
  c.found = t.found;
  c.problem = shrink_spec(
      t.spec,
      [&](const problem_spec& smaller) {
        const auto fitted = t.law->adapt(smaller, subject);
        if (!fitted || !(*fitted == smaller)) return false;
        const judgement j = judge_if_asked(judge, *t.law, smaller);
        if (j.outcome != t.found.outcome) return false;
        c.found = j;
        return true;
      },
      tries);
  c.options = subject.given_options;
  c.replay = replay_line(subject, c.property, c.problem);
  return c;
}

// Comparisons that hold here and there do not make a group hold when every problem is mostly
// undecided.
void withdraw_hollow_verdicts(run_result& result) {
  for (group_result& group : result.groups)
    if (group.outcome == verdict::holds && group.judged_problems == 0)
      group.outcome = verdict::undecided;
}

// A time-out is not tried again and again.
int tries_for(const task& t, const property* shrunk, const run_options& options) {
  const bool small_enough = t.law == shrunk || t.found.outcome == verdict::timed_out;
  return small_enough ? 0 : options.shrink_tries;
}

// The first failure of each group; only the first of a property is made smaller.
void explain_failures(run_result& result, const std::vector<task>& tasks,
                      const trial_judge& judge) {
  const property* shrunk = nullptr;
  for (const task& t : tasks) {
    group_result& group = result.groups[t.group];
    if (!is_failure(t.found.outcome) || group.failure) continue;
    group.reason = t.found.reason;
    const int tries = tries_for(t, shrunk, result.options);
    group.failure = explain(t, result.subject, judge, tries);
    shrunk = t.law;
  }
}

// Where the sum that weights are divided by is near 0, the definition itself says nothing.
double most_outside(const subject_info& subject) {
  if (find_profile(subject.profile).may_weigh_nothing()) return most_out_of_quotients;
  const bool shifts_by_constant = std::any_of(
      subject.inputs.begin(), subject.inputs.end(),
      [&](const format* f) { return subject.contract_for(*f).shift == exponent_shift::constant; });
  return shifts_by_constant ? most_out_of_constant_shift : most_out_of_domain;
}

std::string shortfall(const feature_coverage& c, double most) {
  const std::string name(name_of(c.what));
  if (c.required && !c.declared)
    return "required feature " + name + " is not declared by the subject";
  if (c.judged < least_judged_problems)
    return "feature " + name + ": " + std::to_string(c.judged) +
           " problems judged (needed: " + std::to_string(least_judged_problems) + ")";
  if (static_cast<double>(c.out_of_domain) > most * static_cast<double>(c.rows))
    return "feature " + name + ": " + std::to_string(c.out_of_domain) + " of " +
           std::to_string(c.rows) +
           " rows out of domain (allowed: " + std::to_string(std::lround(100 * most)) + " %)";
  return {};
}

// A group alone may be beyond what a contract can decide (long rows in 16-bit sums); a law as a
// whole may not. A law without groups has nothing to say about the subject: the report lists it as
// not run. One that was skipped, as the machine can't pose its problems, is listed with its reason.
bool is_open(const run_result& result, const property* law) {
  const auto judged = [](const group_result& g) {
    return g.judged_problems > 0 || is_failure(g.outcome) || !g.reason.empty();
  };
  bool put = false, decided = false;
  for (const group_result& g : result.groups)
    if (g.law == law) put = true, decided = decided || judged(g);
  return put && !decided;
}

// Whether a law that was chosen uses the feature at all.
bool is_admitted(const run_result& result, feature f) {
  return std::any_of(result.options.properties.begin(), result.options.properties.end(),
                     [&](const property* law) { return law->admits.has(f); });
}

// Empty where all were put.
std::string not_asked_text(const std::vector<task>& tasks) {
  const auto was_not = [](const task& t) { return !t.not_asked.empty(); };
  const auto count = std::count_if(tasks.begin(), tasks.end(), was_not);
  if (count == 0) return {};
  return std::to_string(count) + " of " + std::to_string(tasks.size()) +
         " problems: " + std::find_if(tasks.begin(), tasks.end(), was_not)->not_asked;
}

// Of a subject that was given up, that alone.
void find_shortfalls(run_result& result, const std::vector<task>& tasks) {
  if (std::string text = not_asked_text(tasks); !text.empty())
    return result.not_judged.push_back(std::move(text));
  for (const feature_coverage& c : result.coverage)
    if (c.required || (c.declared && is_admitted(result, c.what) && !result.options.dims))
      if (std::string text = shortfall(c, most_outside(result.subject)); !text.empty())
        result.not_judged.push_back(std::move(text));
  for (const property* law : result.options.properties)
    if (is_open(result, law))
      result.not_judged.push_back("property " + std::string(law->name) +
                                  ": no problem could be judged");
  if (result.groups.empty())
    result.not_judged.push_back("no property has anything to say about this subject");
}

}  // namespace

bool is_judged(const judgement& j) { return j.judged > 0 && j.judged >= j.undecided; }

verdict run_result::outcome() const {
  verdict all = groups.empty() ? verdict::undecided : groups.front().outcome;
  for (const group_result& g : groups) all = worse(all, g.outcome);
  return all;
}

int run_result::exit_code() const {
  if (is_failure(outcome())) return 1;
  return not_judged.empty() && !interrupted ? 0 : 3;
}

std::string replay_line(const subject_info& subject, std::string_view property,
                        const problem_spec& spec) {
  return subject.address + " " + std::string(property) + " " + to_line(spec);
}

run_result run_trials(const subject_info& info, const std::vector<trial>& trials,
                      const trial_judge& judge, const run_options& options,
                      const progress& report) {
  run_result result;
  result.subject = info;
  result.options = options;
  std::vector<task> tasks = add_tasks(result, trials);
  constexpr int every_thread = oneapi::tbb::task_arena::automatic;
  const int threads = options.dims ? 1 : every_thread;  // one large problem at a time
  result.interrupted = !carry_out(tasks, judge, threads, report);
  result.coverage = empty_coverage(result);
  for (const task& t : tasks) {
    if (!t.done) continue;
    count(result.groups[t.group], t.found);
    count(result.coverage, t, result.subject);
    count(result.shares, t);
  }
  withdraw_hollow_verdicts(result);
  explain_failures(result, tasks, judge);
  find_shortfalls(result, tasks);
  return result;
}

run_result run_properties(subject& s, const run_options& options, const progress& report) {
  run_options settled = options;
  const std::vector<trial> trials = draw_trials(s.info(), settled);
  examiner subject(s, options.sure);
  const auto judge = [&](const property& law, const problem_spec& spec) {
    return law.judge(spec, subject);
  };
  return run_trials(s.info(), trials, judge, settled, report);
}

}  // namespace attest
