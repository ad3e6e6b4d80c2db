#include "properties/corpus/chosen_trials.h"

#include <algorithm>
#include <set>

#include "properties/domain/domain.h"
#include "reference/problems/problem_spec.h"

namespace attest {
namespace {

const stored_answer* nothing_stored(const asked_problem&) { return nullptr; }

// A trial, and where it stands among all that a law could have.
struct candidate {
  std::size_t group = 0;
  std::int64_t index = 0;
  problem_spec spec;
};

// The trials of one law, its groups in turn.
class trial_queue {
 public:
  trial_queue(const property& law, const subject_info& subject, std::uint64_t seed,
              std::size_t first_group)
      : law_(law), subject_(subject), seed_(seed), groups_(groups_for(law, subject)) {
    next_index_.assign(groups_.size(), 0);
    turn_ = groups_.empty() ? 0 : first_group % groups_.size();
  }

  const property& law() const { return law_; }
  std::string group_name(std::size_t group) const { return groups_[group].name(); }

  std::int64_t trials_at_effort_1() const {
    std::int64_t sum = 0;
    for (const feature_group& group : groups_) sum += problems_in(law_, group, subject_);
    return sum;
  }

  // Result: the next trial; nothing where every group is closed.
  std::optional<candidate> next() {
    for (std::size_t tried = 0; tried < groups_.size(); ++tried) {
      const std::size_t group = turn_++ % groups_.size();
      if (auto found = next_of(group)) return found;
    }
    return std::nullopt;
  }

  // No more of this group: its next trial does not fit.
  void close(std::size_t group) { next_index_[group] = closed; }

 private:
  static constexpr std::int64_t closed = -1;
  static constexpr std::int64_t most_effort = 1000;
  static constexpr int most_draws = 16;  // without a problem that the law has something to say of

  std::optional<candidate> next_of(std::size_t group) {
    for (int n = 0; n < most_draws && next_index_[group] != closed; ++n) {
      const std::int64_t index = next_index_[group]++;
      if (index >= most_effort * problems_in(law_, groups_[group], subject_)) break;
      if (auto spec = draw_spec(law_, subject_, groups_[group], {seed_, index}))
        if (drawn_.insert(to_line(*spec)).second) return candidate{group, index, std::move(*spec)};
    }
    close(group);
    return std::nullopt;
  }

  const property& law_;
  const subject_info& subject_;
  std::uint64_t seed_;
  std::vector<feature_group> groups_;
  std::vector<std::int64_t> next_index_;
  std::size_t turn_ = 0;
  std::set<std::string> drawn_;
};

// A trial that is in, with what it asks.
struct admitted_trial {
  std::size_t law = 0;
  candidate posed;
  std::vector<asked_problem> asks;
};

class trial_choice {
 public:
  trial_choice(const subject_info& subject, const std::vector<const property*>& laws,
               std::uint64_t seed, std::int64_t count)
      : subject_(subject), left_(count) {
    for (const property* law : laws) queues_.emplace_back(*law, subject, seed, queues_.size());
    weight_.assign(queues_.size(), 0);
    set_aside_.assign(queues_.size(), 0);
    open_.assign(queues_.size(), true);
  }

  chosen_trials choose() {
    while (left_ > 0) {
      const auto law = lightest();
      if (!law) break;
      admit_next(*law);
    }
    return in_order();
  }

 private:
  std::optional<std::size_t> lightest() const {
    std::optional<std::size_t> found;
    for (std::size_t law = 0; law < queues_.size(); ++law)
      if (open_[law] && (!found || weight_[law] < weight_[*found])) found = law;
    return found;
  }

  void admit_next(std::size_t law) {
    auto posed = queues_[law].next();
    if (!posed) {
      open_[law] = false;
      return;
    }
    stored_trial exactly =
        judge_stored(queues_[law].law(), posed->spec, subject_, {}, nothing_stored);
    if (!is_judged(exactly.found) && weight_[law] == 0 && set_aside_[law]++ < most_set_aside)
      return;
    std::vector<asked_problem>& asks = exactly.unanswered;
    std::set<std::string> fresh;
    for (const asked_problem& asked : asks)
      if (!digests_.contains(asked.digest)) fresh.insert(asked.digest);
    const auto cost = static_cast<std::int64_t>(fresh.size());
    if (cost > left_) return queues_[law].close(posed->group);
    left_ -= cost;
    weight_[law] += std::max<std::int64_t>(cost, 1);
    digests_.merge(fresh);
    admitted_.push_back({law, std::move(*posed), std::move(asks)});
  }

  chosen_trials in_order() {
    std::sort(admitted_.begin(), admitted_.end(), [](const auto& a, const auto& b) {
      return std::tie(a.law, a.posed.group, a.posed.index) <
             std::tie(b.law, b.posed.group, b.posed.index);
    });
    chosen_trials chosen;
    std::set<std::string> taken;
    for (admitted_trial& a : admitted_) {
      for (asked_problem& asked : a.asks) {
        if (!taken.insert(asked.digest).second) continue;
        chosen.problems.push_back(std::move(asked));
        chosen.trial_of.push_back(chosen.trials.size());
      }
      const trial_queue& queue = queues_[a.law];
      chosen.trials.push_back(
          {&queue.law(), queue.group_name(a.posed.group), std::move(a.posed.spec)});
    }
    chosen.effort = effort_of(chosen.trials.size());
    return chosen;
  }

  double effort_of(std::size_t trials) const {
    std::int64_t all = 0;
    for (const trial_queue& queue : queues_) all += queue.trials_at_effort_1();
    return all == 0 ? 0 : static_cast<double>(trials) / static_cast<double>(all);
  }

  // Before the first trial of a law: those on which the contract decides nothing.
  static constexpr int most_set_aside = 8;

  const subject_info& subject_;
  std::int64_t left_;
  std::vector<trial_queue> queues_;
  std::vector<std::int64_t> weight_;  // problems that each law has so far
  std::vector<int> set_aside_;
  std::vector<bool> open_;
  std::set<std::string> digests_;
  std::vector<admitted_trial> admitted_;
};

bool draws_something(const property& law, const subject_info& subject) {
  return trial_queue(law, subject, 0, 0).next().has_value();
}

}  // namespace

std::vector<const property*> laws_of_layouts(const subject_info& subject,
                                             const std::vector<const property*>& laws) {
  subject_info strided = subject;
  strided.features = subject.features.with(feature::strides);
  std::vector<const property*> found;
  for (const property* law : laws)
    if (!draws_something(*law, subject) && draws_something(*law, strided)) found.push_back(law);
  return found;
}

chosen_trials choose_trials(const subject_info& subject, const std::vector<const property*>& laws,
                            std::uint64_t seed, std::int64_t count) {
  chosen_trials chosen = trial_choice(subject, laws, seed, count).choose();
  chosen.needs_live = laws_of_layouts(subject, laws);
  for (const property* law : laws) {
    const bool is_in = std::any_of(chosen.trials.begin(), chosen.trials.end(),
                                   [&](const trial& t) { return t.law == law; });
    if (!is_in && draws_something(*law, subject)) chosen.left_out.push_back(law);
  }
  return chosen;
}

}  // namespace attest
