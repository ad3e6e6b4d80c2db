// attest audit: is the judge right?
#include <algorithm>
#include <fstream>
#include <iostream>

#include "properties/audit/audited_contracts.h"
#include "reference/input_error.h"
#include "reports/audit_report.h"
#include "reports/commands/command.h"
#include "reports/commands/seed.h"
#include "reports/exit_code.h"
#include "reports/progress_meter.h"

namespace attest {
namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw input_error("report " + path + " can't be written");
}

// Before the long work: a path that can't be written to is known at once.
std::ofstream opened(const std::string& path) {
  std::ofstream file;
  if (!path.empty()) file.open(path, std::ios::binary);
  if (!file) refuse(path);
  return file;
}

}  // namespace

int run(const audit_command_options& o) {
  const audit_options options{parse_seed(o.seed), o.evaluations, o.elements};
  const std::vector<const contract*> contracts = matching_audited_contracts(o.contract);
  std::ofstream file = opened(o.report);
  std::vector<audit_result> results;
  write_audit_heading(std::cout, options);
  for (const contract* c : contracts) {
    {
      progress_meter meter("auditing " + c->name, "outputs");
      results.push_back(audit_contract(*c, *c, options, std::ref(meter)));
    }
    write_audit_line(std::cout, results.back());
    if (results.back().interrupted) break;
  }
  write_audit_end(std::cout, results);
  if (file.is_open()) write_audit_json(file, results, options);
  if (!file.flush()) refuse(o.report);
  const bool sound =
      std::all_of(results.begin(), results.end(), [](const audit_result& r) { return r.sound(); });
  if (!sound) return something_failed;
  return results.back().interrupted ? not_judged : all_hold;
}

}  // namespace attest
