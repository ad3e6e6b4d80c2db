#include "properties/corpus/check_corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

#include "properties/corpus/chosen_trials.h"
#include "properties/corpus/make_corpus.h"
#include "properties/exchange/byte_source.h"
#include "reference/contract/fields.h"
#include "reference/input_error.h"

namespace attest {
namespace {

namespace fs = std::filesystem;

fs::path follow_up_folder(const fs::path& corpus, int round) {
  return corpus / fmt::format("follow-up-{}", round);
}

// What a follow-up shares with its corpus.
bool belongs_to(const manifest& m, const manifest& corpus, int round) {
  return m.round == round && m.seed == corpus.seed && m.profile == corpus.profile &&
         m.features == corpus.features && m.files == corpus.files &&
         m.kept.name == corpus.kept.name && differences(m.kept, corpus.kept).empty();
}

std::string names_of(const std::vector<std::string>& files) {
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t n = 0; n < std::min(files.size(), most); ++n)
    text += (n == 0 ? "" : ", ") + files[n];
  return files.size() > most ? fmt::format("{} and {} more", text, files.size() - most) : text;
}

// The trials that wait for answers: those of the corpus in its order, then those that would make a
// counterexample smaller, in the order in which they were tried.
class waiting_trials {
 public:
  explicit waiting_trials(const std::vector<trial>& drawn) : drawn_(drawn) {}

  void add(const property& law, const problem_spec& spec) {
    const std::lock_guard lock(adding_);
    const std::string key = key_of(law, spec);
    if (waiting_.insert(key).second) order_.push_back({&law, "shrinking", spec});
  }

  // Result: how many of the drawn ones wait.
  std::int64_t drawn() const { return static_cast<std::int64_t>(drawn_first().first); }

  std::vector<trial> in_order() const { return drawn_first().second; }

 private:
  static std::string key_of(const property& law, const problem_spec& spec) {
    return std::string(law.name) + " " + to_line(spec);
  }

  std::pair<std::size_t, std::vector<trial>> drawn_first() const {
    std::vector<trial> all;
    std::set<std::string> keys;
    for (const trial& t : drawn_)
      if (const std::string key = key_of(*t.law, t.spec); waiting_.contains(key)) {
        keys.insert(key);
        all.push_back(t);
      }
    const std::size_t drawn = all.size();
    for (const trial& t : order_)
      if (!keys.contains(key_of(*t.law, t.spec))) all.push_back(t);
    return {drawn, std::move(all)};
  }

  const std::vector<trial>& drawn_;
  std::mutex adding_;
  std::set<std::string> waiting_;
  std::vector<trial> order_;
};

// The problems that trials wait for, each once, at most as many as a corpus has; no trial in part.
class follow_up {
 public:
  follow_up(const answered_corpus& corpus, const std::string& version) : corpus_(corpus) {
    holds_ = corpus.holds();
    holds_.version = version;
    holds_.round = corpus.rounds() + 1;
    holds_.effort = 0;
    holds_.left_out.clear();
    holds_.trials.clear();
    holds_.problems.clear();
  }

  void add(const trial& t, const assurance& sure) {
    std::vector<asked_problem> fresh;
    std::set<std::string> digests;
    for (asked_problem& asked : corpus_.judge(*t.law, t.spec, sure).unanswered) {
      const bool is_new = !corpus_.asks(asked.digest) && !taken_.contains(asked.digest);
      if (is_new && digests.insert(asked.digest).second) fresh.push_back(std::move(asked));
    }
    if (fresh.empty() || static_cast<std::int64_t>(problems_.size() + fresh.size()) > holds_.count)
      return;
    for (asked_problem& asked : fresh) {
      holds_.problems.push_back(
          describe(asked.posed, asked.repeat, holds_.trials.size(), holds_.files));
      problems_.push_back(std::move(asked));
    }
    holds_.trials.push_back({std::string(t.law->name), t.group, to_line(t.spec)});
    taken_.merge(digests);
  }

  std::int64_t size() const { return static_cast<std::int64_t>(problems_.size()); }
  void write() const { write_corpus(corpus_.next_folder(), holds_, problems_); }

 private:
  const answered_corpus& corpus_;
  manifest holds_;
  std::vector<asked_problem> problems_;
  std::set<std::string> taken_;
};

void write_follow_up(corpus_check& check, const answered_corpus& corpus,
                     const waiting_trials& waiting, const std::string& version) {
  const std::vector<trial> trials = waiting.in_order();
  if (trials.empty() || check.result.interrupted) return;
  if (const auto unanswered = corpus.unanswered(); !unanswered.empty()) {
    check.pending = "no follow-up before these are answered";
    return;
  }
  if (corpus.rounds() >= most_rounds) {
    check.pending = fmt::format("no follow-up after {} rounds", most_rounds);
    return;
  }
  follow_up next(corpus, version);
  for (const trial& t : trials) next.add(t, check.result.options.sure);
  if (next.size() == 0) {
    check.pending = "what is open needs more problems than the corpus may have";
    return;
  }
  next.write();
  check.follow_up = corpus.next_folder().string();
  check.follow_up_problems = next.size();
}

}  // namespace

answered_corpus::answered_corpus(const fs::path& folder) {
  folders_.push_back(read_corpus_folder(folder));
  if (holds().round != 0)
    refuse(folder.string(), "a follow-up", "the corpus that it belongs to, the folder above");
  info_ = corpus_subject_info(folder.string(), holds());
  if (const answerer& by = folders_.front().by; !by.name.empty()) {
    info_.name = by.name;
    info_.version = by.version;
  }
  read_follow_ups(folder);
  read_trials();
}

void answered_corpus::read_follow_ups(const fs::path& folder) {
  for (int round = 1; fs::exists(follow_up_folder(folder, round)); ++round) {
    const fs::path path = follow_up_folder(folder, round);
    corpus_folder next = read_corpus_folder(path);
    if (!belongs_to(next.holds, holds(), round))
      refuse(path.string(), "a follow-up of another corpus", "one of this corpus");
    const answerer &by = next.by, &first = folders_.front().by;
    if (!next.answers.empty() && (by.name != first.name || by.version != first.version))
      refuse(path.string(), fmt::format("answers of {} {}", by.name, by.version),
             fmt::format("those of {} {}, which answered the corpus", first.name, first.version));
    folders_.push_back(std::move(next));
  }
}

void answered_corpus::read_trials() {
  const std::string where = (folders_.front().path / manifest_name).string();
  for (const trial_line& line : holds().trials) try {
      const property& law = find_property(line.law);
      const problem_spec spec = parse_problem_line(line.problem);
      const auto fitted = law.adapt(spec, info_);
      if (!fitted || !(*fitted == spec) || !(*spec.inputs == *holds().kept.inputs) ||
          spec.profile != holds().profile ||
          !feature_set(law.admits.bits() & info_.features.bits())
               .contains(materialise(spec).asks()))
        throw input_error(fmt::format("'{}' is no problem of {}", line.problem, line.law));
      trials_.push_back({&law, line.group, spec});
    } catch (const input_error& e) {
      throw input_error(fmt::format("{}: {}", where, e.what()));
    }
}

std::vector<std::string> answered_corpus::unanswered() const {
  std::vector<std::string> files;
  for (const corpus_folder& folder : folders_)
    files.insert(files.end(), folder.unanswered.begin(), folder.unanswered.end());
  return files;
}

fs::path answered_corpus::next_folder() const {
  return follow_up_folder(folders_.front().path, rounds() + 1);
}

bool answered_corpus::asks(const std::string& digest) const {
  return std::any_of(folders_.begin(), folders_.end(),
                     [&](const corpus_folder& f) { return f.numbers.contains(digest); });
}

const stored_answer* answered_corpus::find(const asked_problem& asked) const {
  for (const corpus_folder& folder : folders_) {
    const auto number = folder.numbers.find(asked.digest);
    if (number == folder.numbers.end()) continue;
    const corpus_entry& entry = folder.holds.problems[number->second];
    const corpus_entry due = describe(asked.posed, asked.repeat, entry.trial, folder.holds.files);
    if (!(entry == due))
      refuse((folder.path / manifest_name).string(),
             fmt::format("problem {} is not what this attest asks",
                         problem_path(number->second, folder.holds.files)),
             "what it wrote");
    const auto answer = folder.answers.find(asked.digest);
    return answer == folder.answers.end() ? nullptr : &answer->second;
  }
  return nullptr;
}

stored_trial answered_corpus::judge(const property& law, const problem_spec& spec,
                                    const assurance& sure) const {
  std::optional<input_error> bad;
  const auto look_up = [&](const asked_problem& asked) -> const stored_answer* {
    try {
      return bad ? nullptr : find(asked);
    } catch (const input_error& e) {  // an examiner takes what a subject throws for misbehaviour
      bad = e;
      return nullptr;
    }
  };
  stored_trial trial = judge_stored(law, spec, info_, sure, look_up);
  if (bad) throw *bad;
  if (trial.unanswered.empty()) return trial;
  const bool is_missing = asks(trial.unanswered.front().digest);
  trial.found = skipped(is_missing ? "answers are missing" : "answers to further problems are due");
  return trial;
}

corpus_check check_corpus(const answered_corpus& corpus, const corpus_check_settings& settings,
                          const progress& report) {
  const manifest& holds = corpus.holds();
  run_options options;
  options.seed = holds.seed;
  options.required = settings.required;
  options.sure = settings.sure;
  options.shrink_tries = settings.shrink_tries;
  options.properties = matching_properties(holds.property);
  waiting_trials waiting(corpus.trials());
  const auto judge = [&](const property& law, const problem_spec& spec) {
    stored_trial trial = corpus.judge(law, spec, options.sure);
    if (!trial.unanswered.empty()) waiting.add(law, spec);
    return trial.found;
  };
  corpus_check check;
  check.result = run_trials(corpus.info(), corpus.trials(), judge, options, report);
  std::vector<std::string>& open = check.result.not_judged;
  if (const auto files = corpus.unanswered(); !files.empty())
    open.push_back(
        fmt::format("answers to {} problems are missing: {}", files.size(), names_of(files)));
  if (const std::int64_t trials = waiting.drawn(); trials > 0)
    open.push_back(fmt::format("{} of {} trials wait for answers", trials, corpus.trials().size()));
  check.needs_live = laws_of_layouts(corpus.info(), options.properties);
  check.left_out = holds.left_out;
  write_follow_up(check, corpus, waiting, settings.version);
  return check;
}

}  // namespace attest
