// attest check: every property on a subject.
#include <iostream>
#include <memory>

#include "properties/identify/identify.h"
#include "properties/onnx/model_subject.h"
#include "properties/real_shape.h"
#include "properties/run.h"
#include "properties/time_outs.h"
#include "reports/commands/check_by_rule.h"
#include "reports/commands/command.h"
#include "reports/commands/run_clock.h"
#include "reports/commands/seed.h"
#include "reports/identification_report.h"
#include "reports/progress_meter.h"
#include "reports/report.h"

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

// Where nobody named a profile, another may be what the subject follows.
std::string hint_for(const run_result& result, subject& s) {
  if (!is_failure(result.outcome()) || s.info().profile_origin != origin::by_default) return {};
  try {
    return profile_hint(identify(s));
  } catch (const not_asked&) {
    return {};
  }
}

// A model may fix sizes and settings; a shape that is given is asked as it is.
run_result run_on(subject& s, const std::string& address, const run_options& options,
                  const progress& report) {
  if (!is_model_address(address) || options.dims) return run_properties(s, options, report);
  return run_within_limits(s, limits_of_model(address), options, report);
}

}  // namespace

int run(const check_options& o) {
  if (!o.rule.empty()) return check_by_rule(o);
  const run_options options = to_run_options(o);
  const std::unique_ptr<subject> s = open_subject(o.subject, o.declared);
  const run_clock clock;
  report r;
  {
    progress_meter meter("checking " + s->info().name);
    r.result = run_on(*s, o.subject, options, std::ref(meter));
  }
  r.hint = hint_for(r.result, *s);
  if (!o.reproducible) r.run = clock.block();
  write_text(std::cout, r);
  for (const std::string& path : o.reports) write_report_file(path, r);
  return r.result.exit_code();
}

}  // namespace attest
