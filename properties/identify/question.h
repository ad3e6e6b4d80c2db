// What can be found out about a subject: one question a convention, with the answers that are
// possible and the probes that tell them apart.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "properties/identify/probe.h"
#include "reference/semantics/fields.h"

namespace attest {

struct field_probe {
  feature_set needs;
  answer_part part = answer_part::output;
  problem (*build)(const probe_site&);
  // Whether it has something to say, beyond the features that it needs; null: always.
  bool (*applies)(const probe_site&) = nullptr;
  std::int64_t query = -1;  // the only one that is looked at; -1: all
  bool strict = false;      // even the open value must explain the answer
  bool last = false;        // asked only where no other probe of the question could be
};

// When the value that allows anything is the answer.
enum class open_if : std::uint8_t { never, no_other_value_ever_fits, no_other_value_always_fits };

struct question {
  std::string_view name;
  std::string_view meaning;
  std::span<const field_value> values;
  open_if opens = open_if::never;
  std::size_t open_value = 0;
  const semantics_field* field = nullptr;  // null: a fact about a flag of the call
  std::optional<causal_anchor> flag;       // the anchor that the flag promises
  std::vector<field_probe> probes;
};

// Computes: the problem as it reads if that value is the subject's.
problem as_read(const question&, problem posed, std::size_t value);

// In the order in which they build on each other.
std::span<const question> all_questions();

}  // namespace attest
