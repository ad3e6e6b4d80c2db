// The subcommands of the program. Each adds itself with its options and leaves the exit code when
// it was chosen.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace attest {

// Where a subcommand leaves its result; it runs while the command line is parsed.
struct outcome {
  int exit_code = 0;
};

void add_check(CLI::App&, outcome&);
void add_compare(CLI::App&, outcome&);
void add_derive(CLI::App&, outcome&);
void add_example(CLI::App&, outcome&);
void add_explain(CLI::App&, outcome&);
void add_list(CLI::App&, outcome&);
void add_reference(CLI::App&, outcome&);
void add_replay(CLI::App&, outcome&);

}  // namespace attest
