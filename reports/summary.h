// A run's result, summed up the way all writers show it.
#pragma once

#include <vector>

#include "properties/run.h"

namespace attest {

struct counts {
  std::int64_t problems = 0;
  std::int64_t judged_problems = 0;
  std::int64_t judged = 0;  // comparisons
  std::int64_t undecided = 0;
  std::int64_t rows = 0;
  std::int64_t out_of_domain = 0;
  std::int64_t differences = 0;  // observed, as in judgement

  counts& operator+=(const counts&);
};

// One property over its groups, which are at least one.
struct property_summary {
  const property* law = nullptr;
  verdict outcome = verdict::undecided;
  counts sum;
  double worst_ratio = 0;
  std::vector<const group_result*> groups;

  // Result: the first group with a counterexample, of those that decide the verdict if they have
  // one; or nullptr.
  const group_result* first_failure() const;
};

// The contract on which one input format was judged.
struct contract_used {
  const format* inputs = nullptr;
  const contract* used = nullptr;
  origin from = origin::by_default;
};

counts counts_of(const group_result&);
counts counts_of(const run_result&);

// Computes: the group's verdict, but undecided instead of holds where no problem could be judged.
verdict verdict_of(const group_result&);
// Computes: the largest ratio over problems that hold and the counterexample. An infinity beats a
// NaN.
double worst_ratio_of(const group_result&);

// Computes: one entry a property that ran, in the order in which they ran.
std::vector<property_summary> summarise(const run_result&);
// Computes: the properties asked for of which no problem was drawn.
std::vector<const property*> not_run(const run_result&);
// Computes: the groups of any property: plain, the features in their order, mixed, long_row.
std::vector<std::string> group_names(const run_result&);

// One entry an input format of the subject.
std::vector<contract_used> contracts_used(const subject_info&);

// Whether a feature was judged on as many problems, and with as few rows out of domain, as is
// required.
bool is_covered(const feature_coverage&);

}  // namespace attest
