#include "reports/python/callable_check.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "properties/command/command_subject.h"
#include "properties/identify/identify.h"
#include "properties/real_shape.h"
#include "properties/time_outs.h"
#include "reference/input_error.h"
#include "reference/text.h"
#include "reports/identification_report.h"
#include "reports/judgement_text.h"
#include "reports/replay.h"
#include "reports/words/wording.h"

namespace attest {
namespace {

std::vector<const property*> chosen_properties(const std::string& globs) {
  std::vector<const property*> chosen;
  for (const std::string_view glob : split(globs, ','))
    for (const property* law : matching_properties(glob))
      if (std::find(chosen.begin(), chosen.end(), law) == chosen.end()) chosen.push_back(law);
  return chosen;
}

run_options to_run_options(const callable_check_options& o) {
  if (o.effort < 1)
    throw input_error("effort is " + std::to_string(o.effort) + " (allowed: 1 or more)");
  run_options run;
  run.seed = o.seed;
  run.effort = o.effort;
  run.properties = chosen_properties(o.properties);
  if (!o.shape.empty()) run.dims = parse_shape(o.shape);
  return run;
}

std::unique_ptr<subject> with_profile(std::unique_ptr<subject> s) {
  return s->info().profile == identify_profile ? with_identified_profile(std::move(s))
                                               : std::move(s);
}

struct opener {
  caller_thread& caller;

  std::unique_ptr<subject> operator()(const called_here& c) const {
    return with_profile(
        std::make_unique<callable_subject>(c.handler, describe(c.declared), caller));
  }
  std::unique_ptr<subject> operator()(const called_there& c) const {
    return with_profile(open_command(c.command, {.timeout_seconds = c.timeout_seconds}));
  }
};

// Where nobody named a profile, another may be what the subject follows.
std::string hint_for(const run_result& result, subject& s) {
  if (result.interrupted || !is_failure(result.outcome())) return {};
  if (s.info().profile_origin != origin::by_default) return {};
  try {
    const identification found = identify(s);
    if (profile_hint(found).empty()) return {};
    return "its answers agree with profile " + found.nearest + ": pass profile='" + found.nearest +
           "'";
  } catch (const not_asked&) {
    return {};
  }
}

void replace_all(std::string& text, const std::string& old, const std::string& fresh) {
  for (std::size_t at = text.find(old); at != std::string::npos;
       at = text.find(old, at + fresh.size()))
    text.replace(at, old.size(), fresh);
}

}  // namespace

report check_callable(const called& function, const callable_check_options& o) {
  const run_options options = to_run_options(o);
  caller_thread caller;
  report r;
  caller.run([&] {
    const std::unique_ptr<subject> s = std::visit(opener{caller}, function);
    r.result = run_properties(*s, options, [&](auto, auto) { return !caller.interrupted(); });
    r.hint = hint_for(r.result, *s);
  });
  return r;
}

replayed_problem replay_callable(const called& function, const std::string& line) {
  const replay_request request = parse_replay_line("callable " + line);
  caller_thread caller;
  replayed again;
  caller.run([&] { again = put_again(request, *std::visit(opener{caller}, function)); });
  std::ostringstream text;
  write_judgement(text, *again.law, again.problem, again.found);
  return {again.found, text.str()};
}

std::string replay_call(const counterexample& c, const callable_check_options& o) {
  std::string call = o.call;
  replace_all(call, "{}", "'" + c.property + " " + to_line(c.problem) + "'");
  return call;
}

std::string text_of(const report& r, const callable_check_options& o) {
  std::ostringstream out;
  write_text(out, r);
  std::string text = out.str();
  for (const group_result& g : r.result.groups)
    if (g.failure) replace_all(text, replay_command(*g.failure), replay_call(*g.failure, o));
  return text;
}

}  // namespace attest
