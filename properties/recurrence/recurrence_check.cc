#include "properties/recurrence/recurrence_check.h"

#include <algorithm>

#include "properties/recurrence/smaller_recurrences.h"
#include "properties/time_outs.h"
#include "reference/input_error.h"
#include "reference/random.h"

namespace attest {
namespace {

using f = recurrence_feature;

constexpr int most_tries = 200;  // at making a counterexample smaller

std::vector<recurrence_feature> shared(recurrence_features one, recurrence_features other) {
  return members(recurrence_features(one.bits() & other.bits()));
}

// What the problems of the definition surely ask, in turn: each pair of a rule and a feature map
// with each decay, and each other feature.
std::vector<recurrence_features> groups_of(recurrence_features declared) {
  constexpr recurrence_features rules = recurrence_features().with(f::sum).with(f::delta);
  constexpr recurrence_features positive_maps =
      recurrence_features().with(f::elu_plus_1).with(f::exp_features);
  constexpr recurrence_features maps = positive_maps.with(f::identity).with(f::relu);
  constexpr recurrence_features decays =
      recurrence_features().with(f::head_decay).with(f::position_decay).with(f::channel_decay);
  std::vector<recurrence_features> groups;
  for (recurrence_feature rule : shared(declared, rules))
    for (recurrence_feature map : shared(declared, maps)) {
      const recurrence_features both = recurrence_features().with(rule).with(map);
      groups.push_back(both);
      for (recurrence_feature decay : shared(declared, decays)) groups.push_back(both.with(decay));
    }
  for (recurrence_feature each : members(declared.without(rules).without(maps).without(decays))) {
    const bool possible =
        (each != f::erase || declared.has(f::delta)) &&
        (each != f::normalised || (declared.has(f::sum) && declared.meets(positive_maps)));
    if (!possible) continue;
    recurrence_features group = recurrence_features().with(each);
    if (each == f::erase) group = group.with(f::delta);
    groups.push_back(group);
  }
  return groups;
}

std::uint64_t seed_of_law(std::uint64_t seed, std::string_view name) {
  std::uint64_t mixed = 0;
  for (const char c : name) mixed = random_bits(mixed, 4998, static_cast<unsigned char>(c));
  return random_bits(seed, 4998, mixed);
}

class recurrence_run {
 public:
  recurrence_run(recurrence_subject& s, const recurrence_check_options& o,
                 const std::function<void(std::int64_t, std::int64_t)>& report)
      : examiner_(s), options_(o), report_(report) {
    result_.info = s.info();
    result_.seed = o.seed;
    result_.effort = o.effort;
  }

  recurrence_result all() {
    for (const recurrence_law* law : options_.laws) {
      if (is_put(*law))
        of_ += problems_of(*law);
      else
        result_.not_asked.emplace_back(law->name);
    }
    try {
      for (const recurrence_law* law : options_.laws)
        if (is_put(*law) && !stopped_) put(*law);
    } catch (const not_asked& e) {
      result_.not_judged.emplace_back(e.what());
    }
    if (!options_.problem && !stopped_) count_unjudged();
    return std::move(result_);
  }

 private:
  recurrence_features declared() const { return result_.info.features; }
  const std::vector<const format*>& inputs() const { return result_.info.about.inputs; }

  // One problem is asked as it is, and only of laws that it fits.
  bool is_put(const recurrence_law& law) const {
    const bool fits = !options_.problem || law.adapt(*options_.problem) == *options_.problem;
    return fits && is_asked(law, declared());
  }

  bool is_definition(const recurrence_law& law) const { return &law == &recurrence_laws().front(); }

  std::int64_t problems_of(const recurrence_law& law) const {
    if (options_.problem) return 1;
    const auto base = static_cast<std::int64_t>(law.base_problems);
    if (!is_definition(law)) return base * options_.effort;
    const auto groups = static_cast<std::int64_t>(groups_of(declared()).size());
    return std::max(base, least_judged_problems * groups) * options_.effort;
  }

  recurrence_spec problem_of(const recurrence_law& law, std::int64_t n) const {
    if (options_.problem) return *options_.problem;
    const auto number = static_cast<std::uint64_t>(n);
    recurrence_features asked = law.needs;
    if (is_definition(law)) {
      const auto groups = groups_of(declared());
      asked = groups[number % groups.size()];
    } else if (!law.any_of.empty()) {
      const auto choices = shared(declared(), law.any_of);
      asked = asked.with(choices[number % choices.size()]);
    }
    const std::vector<const format*> one_type{inputs()[number % inputs().size()]};
    return law.adapt(
        draw_recurrence(seed_of_law(options_.seed, law.name), number, declared(), asked, one_type));
  }

  void put(const recurrence_law& law) {
    result_.laws.push_back({&law, {}, 0, {}});
    const std::int64_t count = problems_of(law);
    for (std::int64_t n = 0; n < count && !stopped_; ++n) {
      if (report_) report_(done_++, of_);
      put(law, problem_of(law, n));
    }
    law_result& r = result_.laws.back();
    if (r.failure && !options_.problem) make_smaller(law, *r.failure);
  }

  void put(const recurrence_law& law, const recurrence_spec& spec) {
    const judgement found = law.judge(spec, examiner_);
    law_result& r = result_.laws.back();
    ++r.problems;
    r.found.judged += found.judged;
    r.found.undecided += found.undecided;
    r.found.outcome = worse(r.found.outcome, found.outcome);
    r.found.worst_ratio = std::max(r.found.worst_ratio, found.worst_ratio);
    if (is_definition(law) && found.judged > found.undecided) count(spec);
    if (!is_failure(found.outcome)) return;
    if (!r.failure) r.failure = recurrence_failure{spec, found, 0};
    ++r.failure->of_problems;
    stopped_ = options_.stops_at_failure;
  }

  void count(const recurrence_spec& spec) {
    for (recurrence_feature each : members(features_of(spec)))
      ++result_.judged_features[std::string(name_of(each))];
    ++result_.judged_inputs[std::string(spec.inputs->name)];
  }

  // Takes the first smaller problem that fails as it does, as often as there is one.
  void make_smaller(const recurrence_law& law, recurrence_failure& failure) {
    int tries = 0;
    for (bool found = true; found;) {
      found = false;
      for (const recurrence_spec& smaller : smaller_recurrences(failure.problem, declared())) {
        if (++tries > most_tries) return;
        if (!(law.adapt(smaller) == smaller)) continue;
        const judgement j = law.judge(smaller, examiner_);
        if (j.outcome != failure.found.outcome) continue;
        failure.problem = smaller;
        failure.found = j;
        found = true;
        break;
      }
    }
  }

  void count_unjudged() {
    const auto require = [&](const std::map<std::string, std::int64_t>& judged,
                             std::string_view name, const char* what) {
      const auto found = judged.find(std::string(name));
      const std::int64_t n = found == judged.end() ? 0 : found->second;
      if (n < least_judged_problems)
        result_.not_judged.push_back(
            std::string(what) + " " + std::string(name) + " was judged on " + std::to_string(n) +
            " problems (due: " + std::to_string(least_judged_problems) + ")");
    };
    const bool definition_was_put =
        !result_.laws.empty() && is_definition(*result_.laws.front().law);
    if (!definition_was_put) return;
    for (recurrence_feature each : members(declared()))
      require(result_.judged_features, name_of(each), "the declared feature");
    for (const format* each : inputs())
      require(result_.judged_inputs, each->name, "the declared input type");
  }

  recurrence_examiner examiner_;
  const recurrence_check_options& options_;
  const std::function<void(std::int64_t, std::int64_t)>& report_;
  recurrence_result result_;
  std::int64_t done_ = 0, of_ = 0;
  bool stopped_ = false;
};

void require_declared(const recurrence_spec& s, const recurrence_info& info) {
  const recurrence_features asked = features_of(s);
  if (!info.features.contains(asked))
    throw input_error("the problem asks " + to_string(asked.without(info.features)) + ", which " +
                      info.about.name + " does not declare (allowed: " + to_string(info.features) +
                      ")");
  const std::vector<const format*>& inputs = info.about.inputs;
  if (std::none_of(inputs.begin(), inputs.end(),
                   [&](const format* each) { return *each == *s.inputs; }))
    throw input_error("the problem has inputs of " + std::string(s.inputs->name) + ", which " +
                      info.about.name + " does not declare");
}

}  // namespace

verdict recurrence_result::outcome() const {
  verdict v = verdict::undecided;
  for (const law_result& r : laws) v = worse(v, r.found.outcome);
  return v;
}

int recurrence_result::exit_code() const {
  constexpr int holds = 0, failed = 1, open = 3;
  if (is_failure(outcome())) return failed;
  const bool all_decided = std::all_of(laws.begin(), laws.end(), [](const law_result& r) {
    return r.found.outcome == verdict::holds;
  });
  return !laws.empty() && all_decided && not_judged.empty() ? holds : open;
}

recurrence_result check_recurrence(
    recurrence_subject& s, const recurrence_check_options& o,
    const std::function<void(std::int64_t done, std::int64_t of)>& report) {
  if (o.problem) require_declared(*o.problem, s.info());
  return recurrence_run(s, o, report).all();
}

}  // namespace attest
