// attest check: every property on a subject.
#include <CLI/CLI.hpp>
#include <chrono>
#include <ctime>
#include <iostream>
#include <memory>
#include <thread>

#include "properties/run.h"
#include "reference/input_error.h"
#include "reports/commands/command.h"
#include "reports/commands/seed.h"
#include "reports/progress_meter.h"
#include "reports/report.h"
#include "reports/version.h"

namespace attest {
namespace {

struct check_options {
  std::string subject;
  std::string property = "*";
  std::string seed = std::to_string(default_seed);
  int effort = 1;
  std::string required;
  std::vector<std::string> reports;
  bool reproducible = false;
};

run_options to_run_options(const check_options& o) {
  run_options run;
  run.seed = parse_seed(o.seed);
  run.effort = o.effort;
  run.required = parse_feature_set(o.required);
  run.properties = matching_properties(o.property);
  return run;
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

int check(const check_options& o) {
  const run_options run = to_run_options(o);
  const std::unique_ptr<subject> s = open_subject(o.subject);
  const std::string started = utc_now();
  const auto clock = std::chrono::steady_clock::now();
  report r;
  {
    progress_meter meter("checking " + s->info().name);
    r.result = run_properties(*s, run, std::ref(meter));
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - clock;
  if (!o.reproducible)
    r.run = run_block{version, started, elapsed.count(), host_name(),
                      std::thread::hardware_concurrency()};
  write_text(std::cout, r);
  for (const std::string& path : o.reports) write_report_file(path, r);
  return r.result.exit_code();
}

}  // namespace

void add_check(CLI::App& app, outcome& result) {
  auto options = std::make_shared<check_options>();
  CLI::App* command = app.add_subcommand("check", "Checks a subject against every property");
  command->add_option("SUBJECT", options->subject, "builtin:NAME, or a plugin PATH.so[:NAME]")
      ->required();
  command
      ->add_option("--property", options->property, "Only properties whose name matches this glob")
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of the problems, or random")
      ->capture_default_str();
  command->add_option("--effort", options->effort, "Multiplies the number of problems")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command->add_option(
      "--require", options->required,
      "Features that must be declared and judged, comma-separated (otherwise exit code 3)");
  command
      ->add_option("--report", options->reports,
                   "Write a report: FILE.json, FILE.xml (JUnit) or FILE.html")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_flag("--reproducible", options->reproducible, "Leave times and host out of reports");
  command->callback([options, &result] { result.exit_code = check(*options); });
}

}  // namespace attest
