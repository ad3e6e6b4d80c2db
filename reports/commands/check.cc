// attest check: every property on a subject.
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <iostream>
#include <memory>
#include <thread>

#include "properties/identify/identify.h"
#include "properties/real_shape.h"
#include "properties/run.h"
#include "reports/commands/check_by_rule.h"
#include "reports/commands/command.h"
#include "reports/commands/seed.h"
#include "reports/identification_report.h"
#include "reports/progress_meter.h"
#include "reports/report.h"
#include "reports/version.h"

namespace attest {
namespace {

run_options to_run_options(const check_options& o) {
  run_options run;
  run.seed = parse_seed(o.seed);
  run.effort = o.effort;
  run.required = parse_feature_set(o.required);
  run.sure.false_alarm = o.false_alarm;
  run.properties = matching_properties(o.property);
  if (!o.shape.empty()) run.dims = parse_shape(o.shape);
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

// Where nobody named a profile, another may be what the subject follows.
std::string hint_for(const run_result& result, subject& s) {
  const bool fails = is_failure(result.outcome());
  return fails && s.info().origin == profile_origin::by_default ? profile_hint(identify(s)) : "";
}

}  // namespace

int run(const check_options& o) {
  if (!o.rule.empty()) return check_by_rule(o);
  const run_options options = to_run_options(o);
  const std::unique_ptr<subject> s = open_subject(o.subject, o.declared);
  const std::string started = utc_now();
  const auto clock = std::chrono::steady_clock::now();
  report r;
  {
    progress_meter meter("checking " + s->info().name);
    r.result = run_properties(*s, options, std::ref(meter));
  }
  r.hint = hint_for(r.result, *s);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - clock;
  if (!o.reproducible)
    r.run = run_block{version, started, elapsed.count(), host_name(),
                      std::thread::hardware_concurrency()};
  write_text(std::cout, r);
  for (const std::string& path : o.reports) write_report_file(path, r);
  return r.result.exit_code();
}

}  // namespace attest
