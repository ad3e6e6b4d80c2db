// Runs of the gate on the plugins and backends of the test suite.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "properties/run.h"

namespace attest {

// Result: the plugins of a folder of the build, by name: subjects, equivalents, controls, mutants.
std::vector<std::string> plugins_in(std::string_view folder);
// Result: "…/plugins/FOLDER/NAME.so".
std::string plugin_address(std::string_view folder, std::string_view name);

// Result: the law by which the short test tries a mutant and its control, the cheapest that catches
// it.
std::string law_for(std::string_view mutant);

struct gate_settings {
  std::uint64_t seed = default_seed;
  int effort = 1;
  std::string_view properties = "*";
  int shrink_tries = run_options{}.shrink_tries;
};

run_result run_gate(const std::string& address, const gate_settings& = {});

// Result: what a run found, for people: failures with their replay lines, and what was not judged.
std::string findings(const run_result&);

// Result: the failure that a group's counterexample shows when its replay line is put to the
// subject anew.
verdict replayed(const counterexample&, const subject_info&);

// Whether the name is one that a test of one plugin may have.
std::string test_name(std::string_view name);

}  // namespace attest
