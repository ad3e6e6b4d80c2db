// The laws of linear attention, as data and two functions each.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "properties/recurrence/recurrence_examiner.h"

namespace attest {

struct recurrence_law {
  std::string_view name;       // what it claims
  std::string_view statement;  // one sentence
  std::string_view catches;    // the kinds of defect that break it
  recurrence_features needs;   // all of them
  recurrence_features any_of;  // and one of these; empty: nothing
  int base_problems = 1;       // problems at effort 1

  // Makes a drawn problem fit the law.
  recurrence_spec (*adapt)(recurrence_spec);
  // All compare within the sum of the bounds of the calls (derivation/bounds/linear.md).
  judgement (*judge)(const recurrence_spec&, recurrence_examiner&);
};

// The first compares with the definition, the others calls with each other.
std::span<const recurrence_law> recurrence_laws();

// Computes: the laws whose name matches a glob (* and ?). Error: input_error when none does.
std::vector<const recurrence_law*> matching_recurrence_laws(std::string_view glob);

// Whether a subject of these features can be asked.
bool is_asked(const recurrence_law&, recurrence_features declared);

}  // namespace attest
