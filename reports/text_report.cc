#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "reports/report.h"
#include "reports/summary.h"
#include "reports/words/foreign_text.h"
#include "reports/words/labelled.h"
#include "reports/words/problem_words.h"
#include "reports/words/wording.h"

namespace attest {
namespace {

std::string subject_text(const run_result& result) {
  const std::string address = printable(result.subject.address);
  const std::string words = subject_words(result.subject);
  return labelled("subject", address == words ? words : address + " (" + words + ")") +
         labelled("contract", contract_words(result.subject)) +
         labelled("profile", profile_words(result.subject)) +
         labelled("seed",
                  fmt::format("{}, effort {}", result.options.seed, result.options.effort)) +
         '\n';
}

// --- The table ---

struct row {
  std::string name, verdict, problems, judged, ratio;
};

row row_of(const property_summary& p) {
  const bool seen = p.sum.judged > 0 || p.worst_ratio > 0;
  return {printable(p.law->name), std::string(name_of(p.outcome)), count_text(p.sum.problems),
          count_text(p.sum.judged), seen ? ratio_text(p.worst_ratio) : "-"};
}

std::vector<row> table_of(const run_result& result) {
  std::vector<row> rows{{"property", "verdict", "problems", "comparisons", "worst ratio"}};
  for (const property_summary& p : summarise(result)) rows.push_back(row_of(p));
  for (const property* law : not_run(result))
    rows.push_back({printable(law->name), "not run", "0", "0", "-"});
  return rows;
}

std::string table_text(const run_result& result) {
  const std::vector<row> rows = table_of(result);
  std::size_t width = 0;
  for (const row& r : rows) width = std::max(width, r.name.size());
  std::string text;
  for (const row& r : rows)
    text += fmt::format("{:<{}}  {:<11}  {:>9}  {:>12}  {:>11}\n", r.name, width, r.verdict,
                        r.problems, r.judged, r.ratio);
  return text + '\n';
}

// --- Counterexamples ---

// "causal_top_left (misbehaved); also fails in mixed", where its verdict is not the property's.
std::string group_words(const property_summary& p, const group_result& shown) {
  std::string words = printable(shown.group), others;
  if (shown.outcome != p.outcome) words += fmt::format(" ({})", name_of(shown.outcome));
  for (const group_result* group : p.groups)
    if (group != &shown && is_failure(group->outcome))
      others += (others.empty() ? "; also fails in " : ", ") + printable(group->group);
  return words + others;
}

std::string problem_text(const problem_spec& spec) {
  const std::string words =
      shape_words(spec) + "; " + value_words(spec) + "; " + feature_words(spec);
  return labelled("problem", printable(words), 2);
}

std::string counterexample_text(const property_summary& p, const group_result& group) {
  const counterexample& c = *group.failure;
  std::string text = fmt::format("{}: {}\n", printable(p.law->name), name_of(p.outcome));
  text += labelled("law", printable(p.law->statement), 2);
  text += labelled("group", group_words(p, group), 2);
  if (!c.found.reason.empty()) text += labelled("reason", printable(c.found.reason), 2);
  text += problem_text(c.problem);
  if (c.found.worst) text += observation_text(*c.found.worst);
  return fmt::format("{}{}{}\n\n", text, label_text("replay", 2), replay_command(c));
}

std::string failure_text(const property_summary& p) {
  if (const group_result* group = p.first_failure()) return counterexample_text(p, *group);
  return fmt::format("{}: {}\n", printable(p.law->name), name_of(p.outcome)) +
         labelled("law", printable(p.law->statement), 2) + '\n';
}

std::string failures_text(const run_result& result) {
  std::string text;
  for (const property_summary& p : summarise(result))
    if (is_failure(p.outcome)) text += failure_text(p);
  return text;
}

// --- What is no failure, but worth knowing ---

std::string differences_text(const run_result& result) {
  std::string text;
  for (const property_summary& p : summarise(result))
    if (p.sum.differences > 0)
      text += labelled(text.empty() ? "observed" : "",
                       fmt::format("{}: {} of {} comparisons are within the bound but not equal",
                                   printable(p.law->name), count_text(p.sum.differences),
                                   count_text(p.sum.judged)));
  return text.empty() ? text : text + '\n';
}

// --- What was not looked at ---

std::string not_judged_text(const run_result& result) {
  std::string text;
  for (const std::string& sentence : unjudged_sentences(result))
    text += labelled(text.empty() ? "not judged" : "", printable(sentence));
  return text.empty() ? text : text + '\n';
}

std::string spaced_names(feature_set features) {
  std::string names;
  for (feature f : members(features))
    names += (names.empty() ? "" : ", ") + std::string(name_of(f));
  return names.empty() ? "none" : names;
}

std::string features_text(const run_result& result) {
  const feature_set declared = result.subject.features;
  const feature_set others(feature_set::all().bits() & ~declared.bits());
  std::string text = labelled("features", "declared: " + spaced_names(declared));
  if (!others.empty()) text += labelled("", "not declared, not judged: " + spaced_names(others));
  return text + '\n';
}

std::string shares_text(const run_result& result) {
  std::string text;
  for (const forgiven_share& s : result.shares) {
    if (s.comparisons == 0) continue;
    text += labelled(text.empty() ? "bounds" : "", share_words(s));
  }
  return text.empty() ? text : text + '\n';
}

std::string run_text(const run_block& run) {
  return labelled("run", fmt::format("attest {}, {} s on {} threads of {}, {}",
                                     printable(run.version), number_text(run.seconds), run.threads,
                                     printable(run.host), printable(run.started)));
}

std::string hint_text(const report& r) {
  return r.hint.empty() ? "" : labelled("hint", printable(r.hint)) + '\n';
}

std::string verdict_text(const run_result& result) {
  const int code = result.exit_code();
  return fmt::format("{}; exit code {}: {}\n", headline(result), code, meaning_of_exit_code(code));
}

}  // namespace

void write_text(std::ostream& out, const report& r) {
  out << subject_text(r.result) << table_text(r.result) << failures_text(r.result)
      << differences_text(r.result) << not_judged_text(r.result) << features_text(r.result)
      << shares_text(r.result) << hint_text(r);
  if (r.run) out << run_text(*r.run) << '\n';
  out << verdict_text(r.result);
}

}  // namespace attest
