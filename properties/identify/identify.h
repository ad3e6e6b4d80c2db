// The conventions of a black box, by small probes: for each field of the semantics the value that
// explains every answer, and the input that settled it.
#pragma once

#include <string>
#include <vector>

#include "properties/identify/question.h"
#include "properties/subject.h"
#include "reference/semantics/profiles.h"

namespace attest {

// One problem and what was answered, as text (probe.h).
struct exchange {
  std::string input;
  std::string answer;
};

enum class finding_state : std::uint8_t { identified, not_observable, inconsistent };

std::string_view name_of(finding_state);

// What came of one question.
struct finding {
  const question* asked = nullptr;
  finding_state state = finding_state::not_observable;
  std::vector<std::size_t> values;  // that explain every answer; all of them where none was asked
  std::vector<exchange> evidence;   // what settled it, or what does not fit together
  std::string reason;               // where it is not identified

  std::string_view value_name() const { return asked->values[values.front()].name; }
};

struct identification {
  std::vector<finding> findings;  // one a question
  // The named profiles that agree with every finding; of those that leave something open, the ones
  // that leave the least.
  std::vector<std::string_view> profiles;
  // These conventions as find_profile reads them: the first of the profiles, or the nearest one and
  // the fields in which it is left.
  std::string nearest;

  bool consistent() const;
  // Whether a finding contradicts the profile.
  bool speaks_against(const profile&) const;
};

// Computes: the conventions of the subject, whatever profile it declares. Every probe is asked in
// each of its input formats, for one head and for several in several batch rows; an element
// explains a value within the contract's bound, or 1/32 where that is less. A flag of the call that
// does not do what it promises is inconsistent.
identification identify(subject&);

// Result: the subject with its profile set to what identify finds, and its origin to identified.
std::unique_ptr<subject> with_identified_profile(std::unique_ptr<subject>);

}  // namespace attest
