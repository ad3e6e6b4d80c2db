// The program. Bad input is one exception type, caught here and nowhere else.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "reference/input_error.h"
#include "reports/commands/command.h"
#include "reports/exit_code.h"
#include "reports/version.h"
#include "reports/words/foreign_text.h"

namespace {

std::string names_of(const std::vector<CLI::App*>& commands) {
  std::string names;
  for (const CLI::App* command : commands)
    names += (names.empty() ? "" : ", ") + command->get_name();
  return names;
}

int run(int argc, char** argv) {
  CLI::App app{"attest decides whether an attention implementation is right"};
  app.set_version_flag("--version", std::string("attest ") + attest::version);
  app.require_subcommand(0, 1);  // none is said below, with what is allowed
  app.footer(
      "exit codes: 0 all hold, 1 something failed, 2 usage or bad input, 3 something was not "
      "judged");
  attest::outcome result;
  attest::add_check(app, result);
  attest::add_compare(app, result);
  attest::add_derive(app, result);
  attest::add_reference(app, result);
  attest::add_replay(app, result);
  attest::add_list(app, result);
  attest::add_explain(app, result);
  attest::add_example(app, result);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {
    return app.exit(e);  // --help, --version
  } catch (const CLI::ParseError& e) {
    std::cerr << "attest: " << attest::printable(e.what()) << " (see attest --help)\n";
    return attest::bad_usage;
  }
  if (app.get_subcommands().empty())
    throw attest::input_error("no subcommand given (allowed: " + names_of(app.get_subcommands({})) +
                              ")");
  return result.exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const attest::input_error& e) {
    std::cerr << "attest: " << attest::printable(e.what()) << '\n';
  } catch (const std::exception& e) {
    std::cerr << "attest: " << attest::printable(e.what()) << '\n';
  }
  return attest::bad_usage;
}
