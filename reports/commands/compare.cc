// attest compare: errors of several subjects on the same problems.
#include <fstream>
#include <iostream>
#include <memory>

#include "properties/command/command_subject.h"
#include "properties/run.h"
#include "reference/input_error.h"
#include "reference/text.h"
#include "reports/commands/command.h"
#include "reports/commands/seed.h"
#include "reports/comparison_report.h"

namespace attest {
namespace {

// A bare name is a built-in subject.
std::unique_ptr<subject> open_named(std::string_view name, const isolation& run) {
  const bool bare =
      name.find(':') == std::string_view::npos && name.find(".so") == std::string_view::npos;
  return bare ? open_builtin(name) : open_subject(name, {.run = run});
}

}  // namespace

int run(const compare_options& o) {
  std::vector<std::unique_ptr<subject>> list;
  if (!o.subjects.empty() || o.commands.empty())
    for (std::string_view name : split(o.subjects, ',')) list.push_back(open_named(name, o.run));
  for (const std::string& command : o.commands) list.push_back(open_command(command, o.run));
  comparison_options options{parse_seed(o.seed), o.problems, std::nullopt};
  if (o.regime != "any") options.regime = find_regime(o.regime);
  const comparison result = compare_subjects(list, options);
  write_comparison_text(std::cout, result);
  if (o.report.empty()) return 0;
  std::ofstream file(o.report);
  write_comparison_json(file, result);
  if (!file.flush()) throw input_error("report " + o.report + " can't be written");
  return 0;
}

}  // namespace attest
