// A gate run: every chosen property on every feature group of a subject, and what came of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "derivation/bounds/forward.h"
#include "properties/domain/domain.h"
#include "properties/property.h"
#include "properties/verdict.h"

namespace attest {

inline constexpr std::uint64_t default_seed = 20261129;

struct run_options {
  std::uint64_t seed = default_seed;
  int effort = 1;          // multiplies the number of problems
  feature_set required;    // not declaring or not judging one of them is exit code 3
  assurance sure;          // of likely bounds
  int shrink_tries = 300;  // for each property
  std::vector<const property*> properties;
  // Problems of this shape alone, for the law that samples rows, one at a time.
  std::optional<shape> dims;
};

// The smallest failing problem found, and how to see it again.
struct counterexample {
  std::string property;
  problem_spec problem;
  problem_spec drawn;   // as it was before it was made smaller
  judgement found;      // on the small problem
  std::string options;  // "--contract c.json ", where the run was given some
  std::string replay;   // "attest replay OPTIONS'ADDRESS PROPERTY PROBLEM'"
};

// Whether at least half of the comparisons were decided.
bool is_judged(const judgement&);

// One property on one group.
struct group_result {
  const property* law = nullptr;
  std::string group;
  verdict outcome = verdict::undecided;
  std::int64_t problems = 0;         // put to the subject
  std::int64_t judged_problems = 0;  // of which at least half of the comparisons were decided
  std::int64_t judged = 0;           // comparisons, as in judgement
  std::int64_t undecided = 0;
  std::int64_t out_of_domain = 0;
  std::int64_t rows = 0;
  std::int64_t differences = 0;  // bits that differ although nothing failed, as in judgement
  double worst_ratio = 0;        // over problems that hold
  std::optional<counterexample> failure;
  std::string reason;
};

// What was looked at for one feature, over all properties.
struct feature_coverage {
  feature what{};
  bool declared = false;
  bool required = false;
  std::int64_t problems = 0;     // that use it
  std::int64_t judged = 0;       // of them, with at least half of the comparisons decided
  std::int64_t undecided = 0;    // of them, not judged and not refused
  std::int64_t unsupported = 0;  // of them, refused
  std::int64_t rows = 0;
  std::int64_t out_of_domain = 0;
};

// How much the contract of one input format forgives, over all properties.
struct forgiven_share {
  const format* inputs = nullptr;
  std::int64_t comparisons = 0;  // whose bound has a scale
  std::int64_t undecided = 0;
  double share_sum = 0;  // of bound / scale

  double mean() const { return comparisons > 0 ? share_sum / static_cast<double>(comparisons) : 0; }
};

struct run_result {
  subject_info subject;
  run_options options;
  std::vector<group_result> groups;
  std::vector<feature_coverage> coverage;  // of every feature on the list
  std::vector<forgiven_share> shares;      // one a format of inputs that was used
  std::vector<std::string> not_judged;     // why exit code 3 is due, a sentence each
  bool interrupted = false;

  verdict outcome() const;
  // 0 all hold; 1 a failure; 3 nothing failed, but something required was not judged.
  int exit_code() const;
};

// A declared feature needs this many judged problems, and at most this share of rows out of domain.
inline constexpr std::int64_t least_judged_problems = 4;
inline constexpr double most_out_of_domain = 0.01;
// The same of contracts that subtract a constant before the exponential, which promise small
// scores.
inline constexpr double most_out_of_constant_shift = 0.05;
// The same of relu_ratio and ratio, whose sums come near 0.
inline constexpr double most_out_of_quotients = 0.5;

// Told how many of how many problems are done; returns false to stop (the result says so and keeps
// what is there).
using progress = std::function<bool(std::int64_t done, std::int64_t of)>;

run_result run_properties(subject&, const run_options&, const progress&);

// A law, and one problem on which it is judged.
struct trial {
  const property* law = nullptr;
  std::string group;  // that the problem was drawn for
  problem_spec spec;
};

// Judges a law on a problem, also a smaller one than was drawn. Called from several threads at
// once.
using trial_judge = std::function<judgement(const property&, const problem_spec&)>;

// The same on trials that are chosen already, those of a group one after the other.
run_result run_trials(const subject_info&, const std::vector<trial>&, const trial_judge&,
                      const run_options&, const progress&);

// Computes: the text after "attest replay" for one problem, and back.
std::string replay_line(const subject_info&, std::string_view property, const problem_spec&);

}  // namespace attest
