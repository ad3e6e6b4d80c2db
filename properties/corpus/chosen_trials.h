// Which trials a corpus of a given size is made of.
#pragma once

#include <string>
#include <vector>

#include "properties/corpus/corpus_subject.h"

namespace attest {

struct chosen_trials {
  std::vector<trial> trials;            // in the order of the catalogue, those of a group together
  std::vector<asked_problem> problems;  // each once
  std::vector<std::size_t> trial_of;    // the first trial that asks it, a number a problem
  std::vector<const property*> left_out;    // laws of which not one trial fits
  std::vector<const property*> needs_live;  // laws that ask what no dense file can show
  double effort = 0;  // of the trials of a run at effort 1, how many times as many there are
};

// Computes: trials that ask at most `count` different problems in all. The law that has the fewest
// is next, so that all get about as many; its groups take turns, and it begins with a trial on
// which the contract decides. A trial whose problems do not all fit is not begun.
chosen_trials choose_trials(const subject_info&, const std::vector<const property*>&,
                            std::uint64_t seed, std::int64_t count);

// Computes: the laws that have nothing to ask of the subject only as it has no strides.
std::vector<const property*> laws_of_layouts(const subject_info&,
                                             const std::vector<const property*>&);

}  // namespace attest
