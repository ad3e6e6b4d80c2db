// Every law of linear attention on a subject.
#pragma once

#include <functional>
#include <map>

#include "properties/recurrence/recurrence_law.h"
#include "properties/run.h"

namespace attest {

struct recurrence_check_options {
  std::uint64_t seed = default_seed;
  int effort = 1;  // multiplies the number of problems
  std::vector<const recurrence_law*> laws;
  std::optional<recurrence_spec> problem;  // only this one
  bool stops_at_failure = false;           // of a law: the others are not asked
};

// The smallest problem that was found to fail a law.
struct recurrence_failure {
  recurrence_spec problem;
  judgement found;
  std::int64_t of_problems = 0;  // how many failed
};

struct law_result {
  const recurrence_law* law = nullptr;
  judgement found;  // of all problems
  std::int64_t problems = 0;
  std::optional<recurrence_failure> failure;
};

struct recurrence_result {
  recurrence_info info;
  std::uint64_t seed = 0;
  int effort = 1;
  std::vector<law_result> laws;
  std::vector<std::string> not_asked;  // laws that need what is not declared
  // Problems of the definition most of whose comparisons were decided, by what they ask.
  std::map<std::string, std::int64_t> judged_features, judged_inputs;
  std::vector<std::string>
      not_judged;  // what was declared or asked for and not judged, a sentence each

  verdict outcome() const;
  // 0 all hold; 1 something failed; 3 nothing failed, but something was not judged.
  int exit_code() const;
};

// report: called with how many problems of how many were put.
// Error: input_error where the one problem that is asked for has features or inputs that the
// subject does not declare.
recurrence_result check_recurrence(
    recurrence_subject&, const recurrence_check_options&,
    const std::function<void(std::int64_t done, std::int64_t of)>& report = {});

}  // namespace attest
