// attest power: which wrong subjects each rule lets through, which right ones it turns away.
#include "properties/peers/power.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>

#include "reference/input_error.h"
#include "reports/commands/command.h"
#include "reports/commands/seed.h"
#include "reports/exit_code.h"
#include "reports/power_report.h"
#include "reports/progress_meter.h"

namespace attest {
namespace {

namespace fs = std::filesystem;

// The plugins in a folder, by name.
std::vector<std::string> plugins_in(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".so") paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  if (paths.empty())
    throw input_error("folder " + folder + " holds no plugin (allowed: a folder with .so files)");
  return paths;
}

// Error: input_error, before anything is measured, where one of them can't be opened.
subject_openers openers_of(const std::vector<std::string>& given, const isolation& run) {
  subject_openers list;
  for (const std::string& address : given) {
    const bool is_folder = fs::is_directory(address);
    for (const std::string& each : is_folder ? plugins_in(address) : std::vector{address})
      list.push_back([each, run] { return open_subject(each, {.run = run}); });
  }
  for (const auto& open : list) open();
  return list;
}

bool attest_is_right(const power_table& t) {
  return t.attest.missed.empty() && t.attest.rejected.empty();
}

}  // namespace

int run(const power_options& o) {
  const power_settings settings{parse_seed(o.seed), o.problems, o.property};
  const subject_openers wrong = openers_of(o.wrong, o.run), right = openers_of(o.right, o.run);
  power_table table;
  {
    progress_meter meter("measuring power", "subjects");
    table = compare_power(wrong, right, settings, std::ref(meter));
  }
  write_power_text(std::cout, table);
  if (!o.report.empty()) {
    std::ofstream file(o.report);
    write_power_json(file, table);
    if (!file.flush()) throw input_error("report " + o.report + " can't be written");
  }
  if (!attest_is_right(table)) return something_failed;
  return table.not_judged.empty() && !table.interrupted ? all_hold : not_judged;
}

}  // namespace attest
