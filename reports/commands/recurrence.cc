// attest recurrence: every law of linear attention on a subject, or whether what a program stored
// of one is right.
#include <fmt/format.h>

#include <functional>
#include <iostream>

#include "properties/dump/linear_dump.h"
#include "properties/exchange/array_file.h"
#include "properties/exchange/contract_json.h"
#include "properties/onnx/linear_answers.h"
#include "properties/recurrence/recurrence_check.h"
#include "reference/contract/presets.h"
#include "reference/input_error.h"
#include "reference/text.h"
#include "reports/commands/command.h"
#include "reports/commands/posing.h"
#include "reports/commands/run_clock.h"
#include "reports/commands/seed.h"
#include "reports/progress_bar.h"
#include "reports/recurrence_report.h"
#include "reports/stored_verdict.h"
#include "reports/words/foreign_text.h"

namespace attest {
namespace {

feature_map map_named(const std::string& name) {
  if (name == "elu_plus_1") return feature_map::elu_plus_1;
  if (name == "exp_features") return feature_map::exp_features;
  return name == "relu" ? feature_map::relu : feature_map::identity;
}

linear_reading reading_of(const recurrence_options& o) {
  return {map_named(o.features), o.normalised, o.scale, axis_order_of(o.layout)};
}

std::string recurrence_words(const linear_problem& p, const recurrence_options& o) {
  std::string words = p.rate ? "delta rule" : "sum of keys and values";
  if (p.decay) words += p.decay->sizes()[3] == 1 ? ", decay a head" : ", decay a channel";
  if (p.erase) words += ", erase gate";
  if (p.state) words += ", a state before";
  if (p.normalised) words += ", normalised";
  return words + ", features " + o.features;
}

std::string problem_words(const linear_problem& p) {
  const shape& s = p.dims;
  return fmt::format("B={} Hq={} Hkv={} L={} D={} Dv={}", s.batch, s.query_heads, s.kv_heads,
                     s.queries, s.width, s.value_width) +
         (p.draws ? fmt::format(" A={}", p.channels()) : "");
}

int judge_stored(const recurrence_options& o) {
  if (!names_its_arrays(o.in))
    throw input_error("--in " + o.in + " (allowed: a .npz or .safetensors file)");
  const linear_call call = to_linear_call(read_arrays(o.in), reading_of(o), o.in);
  const contract kept =
      o.contract.empty() ? default_contract(*call.inputs) : find_or_read_contract(o.contract);
  const judgement j = judge_linear(call, kept);
  write_stored_line(std::cout, "file", o.in);
  write_stored_line(std::cout, "problem", problem_words(call.posed));
  write_stored_line(std::cout, "recurrence", recurrence_words(call.posed, o));
  write_stored_verdict(std::cout, j, kept, o.contract.empty(), "q");
  return exit_code_of(j);
}

// ---- A subject ----

recurrence_check_options check_options_of(const recurrence_options& o) {
  recurrence_check_options run;
  run.seed = parse_seed(o.seed);
  run.effort = o.effort;
  run.laws = matching_recurrence_laws(o.law);
  if (!o.problem.empty()) run.problem = parse_recurrence_line(o.problem);
  return run;
}

// What a replay needs besides the problem.
std::string replayed_options(const recurrence_options& o) {
  const isolation usual;
  std::string words;
  if (!o.contract.empty()) words += "--contract " + shell_quoted(o.contract) + " ";
  if (o.run.timeout_seconds != usual.timeout_seconds)
    words += "--timeout " + to_text(o.run.timeout_seconds) + " ";
  if (o.run.memory_mib != usual.memory_mib) words += fmt::format("--memory {} ", o.run.memory_mib);
  return words;
}

int check(const recurrence_options& o) {
  require_folder(o.report);
  const recurrence_check_options options = check_options_of(o);
  const auto subject = open_recurrence(o.subject, {o.contract, o.run});
  const run_clock clock;
  recurrence_report r;
  {
    progress_bar bar("checking " + printable(subject->info().about.name), "problems");
    r.result = check_recurrence(*subject, options, std::ref(bar));
  }
  r.options = replayed_options(o);
  if (!o.reproducible) r.run = clock.block();
  write_recurrence_text(std::cout, r);
  if (!o.report.empty()) write_recurrence_file(o.report, r);
  return r.result.exit_code();
}

}  // namespace

int run(const recurrence_options& o) { return o.in.empty() ? check(o) : judge_stored(o); }

}  // namespace attest
