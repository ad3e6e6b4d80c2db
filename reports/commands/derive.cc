// attest derive: the claims of the derivation, checked.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>

#include "derivation/claims/catalogue.h"
#include "reference/input_error.h"
#include "reports/commands/command.h"
#include "reports/derivation_report.h"
#include "reports/exit_code.h"

namespace attest {
namespace {

struct derive_options {
  std::string claim = "*";
  std::vector<std::string> reports;
};

int derive(const derive_options& o) {
  const std::vector<claim_result> results = check_claims(o.claim);
  write_derivation_text(std::cout, results);
  for (const std::string& path : o.reports) write_derivation_file(path, results);
  const bool passed =
      std::all_of(results.begin(), results.end(), [](const claim_result& r) { return r.passed(); });
  return passed ? all_hold : something_failed;
}

}  // namespace

void add_derive(CLI::App& app, outcome& result) {
  auto options = std::make_shared<derive_options>();
  CLI::App* command =
      app.add_subcommand("derive", "Checks the claims of the derivation of attention");
  command->add_option("--claim", options->claim, "Only claims whose id matches this glob")
      ->capture_default_str();
  command
      ->add_option("--report", options->reports, "Write a report: FILE.json, FILE.md or FILE.html")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->callback([options, &result] { result.exit_code = derive(*options); });
}

}  // namespace attest
