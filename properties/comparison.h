// How far several subjects are from the exact answer on the same problems.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "properties/subject.h"
#include "reference/problems/problem_spec.h"

namespace attest {

// The error of one subject over all elements of o (finite on both sides).
struct comparison_row {
  std::string subject;
  std::string output_format;
  std::int64_t elements = 0;
  std::int64_t wrong_class = 0;  // NaN or infinity where a finite number was due, or the reverse
  double max_error = 0;
  double rms_error = 0;
  // The element with the largest error, and that error in ulps of the output format.
  double worst_ulps = 0;
  std::string worst_problem;
  std::string worst_place;
  double worst_observed = 0;
  double worst_expected = 0;
};

struct comparison {
  std::uint64_t seed = 0;
  std::int64_t problems = 0;
  std::string inputs;  // the format whose values all subjects were given
  std::string regime;  // of the values; "any": each in turn
  std::vector<comparison_row> rows;
};

struct comparison_options {
  std::uint64_t seed = 0;
  std::int64_t problems = 100;
  std::optional<value_regime> regime = value_regime::normal;  // absent: each in turn
};

// Computes: the errors over random problems with features that all subjects declare. Values are
// rounded so that every subject's input format holds them: all get the same numbers. Error:
// input_error when a subject declines a problem.
comparison compare_subjects(const std::vector<std::unique_ptr<subject>>&,
                            const comparison_options&);

}  // namespace attest
