// The program. Bad input is one exception type, caught here and nowhere else.
#include <exception>
#include <iostream>

#include "reports/commands/command.h"
#include "reports/exit_code.h"
#include "reports/words/foreign_text.h"

int main(int argc, char** argv) {
  try {
    const auto command = attest::parse_options(argc, argv);
    if (!command) return attest::all_hold;
    return std::visit([](const auto& options) { return attest::run(options); }, *command);
  } catch (const std::exception& e) {  // input_error, or what the system refused
    std::cerr << "attest: " << attest::printable(e.what()) << '\n';
    return attest::bad_usage;
  }
}
