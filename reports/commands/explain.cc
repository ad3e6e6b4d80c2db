// attest explain: one property in full.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "properties/property.h"
#include "reports/commands/command.h"

namespace attest {
namespace {

void explain(const std::string& name) {
  const property& law = find_property(name);
  const auto line = [](std::string_view label, std::string_view text) {
    std::cout << fmt::format("{:<11}{}\n", label, text);
  };
  std::cout << fmt::format("{} ({})\n\n", law.name, law.theme);
  line("states", law.statement);
  line("method", law.method);
  line("bound", law.bound);
  line("proof", law.proof);
  line("rests on", fmt::format("claim {}", law.claim));
  line("needs", law.needs);
  line("catches", law.catches);
  line("features", to_string(law.admits));
}

}  // namespace

void add_explain(CLI::App& app, outcome&) {
  auto name = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("explain", "Explains a property: statement, method, bound, proof");
  command->add_option("PROPERTY", *name, "As attest list shows it")->required();
  command->callback([name] { explain(*name); });
}

}  // namespace attest
