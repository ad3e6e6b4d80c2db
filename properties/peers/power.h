// The power of acceptance rules: which wrong subjects each lets through, which right ones it turns
// away.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "properties/subject.h"

namespace attest {

struct power_settings {
  std::uint64_t seed = 0;
  std::int64_t problems = 24;  // usual ones for each subject
  std::string property = "*";  // attest judges by the laws whose names match this glob
};

// Subjects by their name; in the order in which they were given.
struct power_column {
  std::vector<std::string> missed;    // wrong, and not turned away by any problem
  std::vector<std::string> rejected;  // right, and turned away by one problem at least
};

struct power_row {
  std::string name;
  std::string accepts;
  std::string source;
  power_column on_usual;  // problems as other suites draw them: usual_problems
  power_column on_drawn;  // the problems of matches_definition at effort 1
};

struct power_table {
  power_settings settings;
  std::vector<std::string> wrong, right;  // all subjects, by name
  std::vector<power_row> peers;           // one a rule, in the order of all_peer_rules
  power_row bound;                        // attest's bound alone, on the same answers
  power_column attest;                    // a run of the laws at effort 1
  std::vector<std::string> not_judged;    // right, and neither passed nor rejected by attest
  bool interrupted = false;               // before all subjects were tried
};

// Each opens a subject when its turn comes: of many, one is open at a time.
using subject_openers = std::vector<std::function<std::unique_ptr<subject>()>>;

// Told how many subjects of how many are done. Result: whether to go on.
using power_progress = std::function<bool(std::int64_t done, std::int64_t of)>;

// Computes: the table. A subject passes a rule that accepts its answers to all problems, the bound
// where no judgement of them fails, and attest where a run of the laws ends with exit code 0; of a
// wrong subject the laws run one by one, up to the first that fails. Exit code 3
// leaves a wrong subject missed and a right one not judged. The same seed gives the same table on
// any number of threads, as far as it was told to go.
power_table compare_power(const subject_openers& wrong, const subject_openers& right,
                          const power_settings&, const power_progress& = {});

}  // namespace attest
