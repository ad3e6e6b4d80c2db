// Runs of the gate on the plugins of tests/members.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "properties/run.h"
#include "reference/text.h"

namespace attest {

inline std::vector<std::string> member_plugins() {
  std::vector<std::string> names;
  for (std::string_view name : split(ATTEST_PLUGINS_member_controls, ',')) names.emplace_back(name);
  return names;
}

// kind: "controls" or "mutants".
inline std::string member_address(std::string_view kind, const std::string& name) {
  return ATTEST_PLUGIN_FOLDER "/member_" + std::string(kind) + "/" + name + ".so";
}

inline run_result run_member(std::string_view kind, const std::string& name,
                             std::string_view properties, std::uint64_t seed) {
  run_options options;
  options.seed = seed;
  options.properties = matching_properties(properties);
  return run_properties(*open_subject(member_address(kind, name)), options, {});
}

// What failed, and what was not judged.
inline std::string member_findings(const run_result& r) {
  std::string text;
  for (const group_result& g : r.groups)
    if (g.failure) text += "attest replay '" + g.failure->replay + "'\n";
  for (const std::string& sentence : r.not_judged) text += sentence + "\n";
  return text;
}

}  // namespace attest
