// Judges the answers to a corpus as those of a subject that is at hand.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "properties/corpus/corpus_subject.h"

namespace attest {

// Each round makes counterexamples smaller by a step or more.
inline constexpr int most_rounds = 24;

// A corpus, its follow-ups and all their answers.
class answered_corpus {
 public:
  // Error: input_error as read_corpus_folder, where a follow-up is none of this corpus, and for a
  // trial that is none of the law.
  explicit answered_corpus(const std::filesystem::path& folder);

  const subject_info& info() const { return info_; }
  const manifest& holds() const { return folders_.front().holds; }
  const std::vector<trial>& trials() const { return trials_; }
  int rounds() const { return static_cast<int>(folders_.size()) - 1; }

  // Files of problems without an answer, over all folders.
  std::vector<std::string> unanswered() const;

  // Computes: the judgement on the answers that are there; undecided, with the reason, where some
  // are not. Error: input_error where the manifest says something else of a problem than this
  // attest asks. Safe to use from several threads.
  stored_trial judge(const property&, const problem_spec&, const assurance&) const;

  // Result: where the follow-up of the next round goes.
  std::filesystem::path next_folder() const;
  // Whether a problem is in one of the manifests.
  bool asks(const std::string& digest) const;

 private:
  void read_follow_ups(const std::filesystem::path&);
  void read_trials();
  const stored_answer* find(const asked_problem&) const;

  std::vector<corpus_folder> folders_;  // the corpus, and its follow-ups in their order
  subject_info info_;
  std::vector<trial> trials_;
};

struct corpus_check {
  run_result result;
  std::vector<const property*> needs_live;
  std::vector<std::string> left_out;  // laws that the corpus has no room for
  // A folder of further problems, and how many; none where nothing is to be asked.
  std::string follow_up;
  std::int64_t follow_up_problems = 0;
  std::string pending;  // why there is no follow-up although something is open
};

struct corpus_check_settings {
  std::string version;  // of attest
  assurance sure;
  feature_set required;
  int shrink_tries = run_options{}.shrink_tries;
};

// Runs the laws of the corpus. Writes a
// follow-up where a law needs problems that are not in the corpus, to go on or to make a
// counterexample smaller.
corpus_check check_corpus(const answered_corpus&, const corpus_check_settings&, const progress&);

}  // namespace attest
