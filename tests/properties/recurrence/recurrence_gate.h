// Runs of attest recurrence's laws on the plugins of tests/recurrences.
#pragma once

#include <string>
#include <vector>

#include "properties/recurrence/recurrence_check.h"
#include "reference/text.h"

namespace attest {

enum class stops : std::uint8_t { at_the_end, at_failure };

// folder: "recurrences", "recurrence_controls" or "recurrence_mutants".
inline recurrence_result run_recurrence(const std::string& folder, const std::string& name,
                                        const std::string& laws, std::uint64_t seed, stops when) {
  recurrence_check_options options;
  options.seed = seed;
  options.laws = matching_recurrence_laws(laws);
  options.stops_at_failure = when == stops::at_failure;
  return check_recurrence(*open_recurrence(ATTEST_PLUGIN_FOLDER "/" + folder + "/" + name + ".so"),
                          options);
}

inline std::vector<std::string> names_in(const char* comma_separated) {
  std::vector<std::string> names;
  for (std::string_view name : split(comma_separated, ',')) names.emplace_back(name);
  return names;
}

// What failed, and what was not judged.
inline std::string recurrence_findings(const recurrence_result& r) {
  std::string text;
  for (const law_result& law : r.laws)
    if (law.failure)
      text += std::string(law.law->name) + ": " + law.failure->found.reason + " '" +
              to_line(law.failure->problem) + "'\n";
  for (const std::string& sentence : r.not_judged) text += sentence + "\n";
  return text;
}

}  // namespace attest
