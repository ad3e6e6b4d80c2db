// attest check and attest replay for a Python callable.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "reports/python/callable_subject.h"
#include "reports/report.h"

namespace attest {

struct callable_check_options {
  std::uint64_t seed = default_seed;
  int effort = 1;
  std::string properties = "*";  // globs, comma-separated
  std::string shape;             // empty: the domain's own
  std::string call;              // as replay lines show it: "attest.replay(attention, {})"
};

// A callable in this process, or one that a command line serves in another.
struct called_here {
  pybind11::handle handler;
  callable_declaration declared;
};
struct called_there {
  std::string command;
  double timeout_seconds = isolation().timeout_seconds;
};
using called = std::variant<called_here, called_there>;

// Domain, of both: the calling thread holds the GIL. Error: input_error; a second
// KeyboardInterrupt, where the first only ends the run.
report check_callable(const called&, const callable_check_options&);

struct replayed_problem {
  judgement found;
  std::string text;
};

// line: "PROPERTY PROBLEM".
replayed_problem replay_callable(const called&, const std::string& line);

// Computes: what `attest check` prints, but with replay lines for Python.
std::string text_of(const report&, const callable_check_options&);

// Computes: "attest.replay(attention, 'matches_definition B=1 ...')".
std::string replay_call(const counterexample&, const callable_check_options&);

}  // namespace attest
