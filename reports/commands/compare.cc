// attest compare: errors of several subjects on the same problems.
#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <memory>

#include "properties/run.h"
#include "reference/input_error.h"
#include "reference/text.h"
#include "reports/commands/command.h"
#include "reports/commands/seed.h"
#include "reports/comparison_report.h"

namespace attest {
namespace {

struct compare_options {
  std::string subjects;
  std::string seed = std::to_string(default_seed);
  std::int64_t problems = 100;
  std::string regime = "normal";
  std::string report;
};

// A bare name is a built-in subject.
std::unique_ptr<subject> open_named(std::string_view name) {
  const bool bare =
      name.find(':') == std::string_view::npos && name.find(".so") == std::string_view::npos;
  return bare ? open_builtin(name) : open_subject(name);
}

int compare(const compare_options& o) {
  std::vector<std::unique_ptr<subject>> list;
  for (std::string_view name : split(o.subjects, ',')) list.push_back(open_named(name));
  comparison_options run{parse_seed(o.seed), o.problems, std::nullopt};
  if (o.regime != "any") run.regime = find_regime(o.regime);
  const comparison result = compare_subjects(list, run);
  write_comparison_text(std::cout, result);
  if (o.report.empty()) return 0;
  std::ofstream file(o.report);
  write_comparison_json(file, result);
  if (!file.flush()) throw input_error("report " + o.report + " can't be written");
  return 0;
}

}  // namespace

void add_compare(CLI::App& app, outcome& result) {
  auto options = std::make_shared<compare_options>();
  CLI::App* command =
      app.add_subcommand("compare", "Compares the errors of subjects on the same problems");
  command
      ->add_option("SUBJECTS", options->subjects, "Comma-separated: built-in names or plugin paths")
      ->required();
  command->add_option("--seed", options->seed, "Seed of the problems, or random")
      ->capture_default_str();
  command->add_option("--problems", options->problems, "How many")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1000000}))
      ->capture_default_str();
  command
      ->add_option("--regime", options->regime, "Of the values, as attest list shows them, or any")
      ->capture_default_str();
  command->add_option("--report", options->report, "Write the comparison as JSON to this file");
  command->callback([options, &result] { result.exit_code = compare(*options); });
}

}  // namespace attest
