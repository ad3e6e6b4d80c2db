// attest example: attention on numbers that can be followed by hand.
#include <CLI/CLI.hpp>
#include <iostream>

#include "reports/commands/command.h"
#include "reports/worked_example.h"

namespace attest {

void add_example(CLI::App& app, outcome&) {
  app.add_subcommand("example", "Prints a worked example: 4 tokens of width 2 under a causal mask")
      ->callback([] { write_worked_example(std::cout); });
}

}  // namespace attest
