#include "tests/properties/gate.h"

#include <algorithm>
#include <cctype>

#include "reference/text.h"

namespace attest {
namespace {

std::string_view names_in(std::string_view folder) {
  if (folder == "subjects") return ATTEST_PLUGINS_subjects;
  if (folder == "equivalents") return ATTEST_PLUGINS_equivalents;
  if (folder == "controls") return ATTEST_PLUGINS_controls;
  return ATTEST_PLUGINS_mutants;
}

}  // namespace

std::vector<std::string> plugins_in(std::string_view folder) {
  std::vector<std::string> names;
  for (std::string_view name : split(names_in(folder), ',')) names.emplace_back(name);
  return names;
}

std::string law_for(std::string_view mutant) {
  for (std::string_view entry : split(ATTEST_MUTANT_LAWS, ',')) {
    const std::size_t colon = entry.find(':');
    if (entry.substr(0, colon) == mutant) return std::string(entry.substr(colon + 1));
  }
  return "matches_definition";
}

std::string plugin_address(std::string_view folder, std::string_view name) {
  return ATTEST_PLUGIN_FOLDER "/" + std::string(folder) + "/" + std::string(name) + ".so";
}

run_result run_gate(const std::string& address, const gate_settings& settings) {
  run_options options;
  options.seed = settings.seed;
  options.effort = settings.effort;
  options.shrink_tries = settings.shrink_tries;
  options.properties = matching_properties(settings.properties);
  return run_properties(*open_subject(address), options, {});
}

std::string findings(const run_result& r) {
  std::string text = "exit code " + std::to_string(r.exit_code()) + "\n";
  for (const group_result& g : r.groups)
    if (g.failure)
      text += std::string(name_of(g.failure->found.outcome)) + " " + g.failure->found.reason +
              ": attest replay '" + g.failure->replay + "'\n";
  for (const std::string& sentence : r.not_judged) text += sentence + "\n";
  return text;
}

verdict replayed(const counterexample& c, const subject_info& info) {
  const std::string beginning = info.address + " " + c.property + " ";
  if (c.replay.substr(0, beginning.size()) != beginning) return verdict::unsupported;
  const property& law = find_property(c.property);
  const auto spec = law.adapt(parse_problem_line(c.replay.substr(beginning.size())), info);
  if (!spec) return verdict::unsupported;
  const auto fresh = open_subject(info.address);
  examiner subject(*fresh);
  return law.judge(*spec, subject).outcome;
}

std::string test_name(std::string_view name) {
  std::string text(name);
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return text;
}

}  // namespace attest
