#include <fmt/format.h>

#include <ostream>

#include "reports/report.h"
#include "reports/summary.h"
#include "reports/words/foreign_text.h"
#include "reports/words/markdown_text.h"
#include "reports/words/problem_words.h"
#include "reports/words/wording.h"

namespace attest {
namespace {

// Text from outside, on one line and as plain words.
std::string plain(std::string_view words) { return markdown_text(printable(words)); }

std::string spaced_names(feature_set features) {
  std::string names;
  for (feature f : members(features))
    names += (names.empty() ? "" : ", ") + std::string(name_of(f));
  return names.empty() ? "none" : names;
}

std::string subject_table(const run_result& result) {
  std::string text = markdown_row({"", ""}) + markdown_rule(2);
  const auto row = [&](const char* label, const std::string& words) {
    text += markdown_row({label, plain(words)});
  };
  row("subject", result.subject.address);
  row("version", result.subject.version);
  row("contract", contract_words(result.subject));
  row("profile", profile_words(result.subject));
  row("features", spaced_names(result.subject.features));
  row("seed, effort", fmt::format("{}, {}", result.options.seed, result.options.effort));
  return text + '\n';
}

std::string property_row(const property_summary& p) {
  const bool seen = p.sum.judged > 0 || p.worst_ratio > 0;
  const bool failed = is_failure(p.outcome);
  const std::string verdict(name_of(p.outcome));
  return markdown_row({plain(p.law->name), failed ? "**" + verdict + "**" : verdict,
                       count_text(p.sum.problems), count_text(p.sum.judged),
                       seen ? ratio_text(p.worst_ratio) : "-"});
}

std::string property_table(const run_result& result) {
  std::string text = "## Properties\n\n";
  text += markdown_row({"property", "verdict", "problems", "comparisons", "worst ratio"});
  text += markdown_rule(5);
  for (const property_summary& p : summarise(result)) text += property_row(p);
  for (const property* law : not_run(result))
    text += markdown_row({plain(law->name), "not run", "0", "0", "-"});
  return text + '\n';
}

std::string observation_text(const observation& seen) {
  const auto [observed, expected] = telling_apart(seen.observed, seen.expected);
  return fmt::format("- at {}: {}\n- observed {}, expected {}\n- error {}\n", plain(seen.where),
                     plain(seen.what), plain(observed), plain(expected), plain(error_words(seen)));
}

std::string counterexample_text(const property_summary& p, const group_result& group) {
  const counterexample& c = *group.failure;
  std::string text = fmt::format("- problem: {}; {}; {}\n", plain(shape_words(c.problem)),
                                 plain(value_words(c.problem)), plain(feature_words(c.problem)));
  if (!c.found.reason.empty()) text += "- reason: " + plain(c.found.reason) + '\n';
  if (c.found.worst) text += observation_text(*c.found.worst);
  return fmt::format("### {}: {}\n\n{}\n\n{}- replay: {}\n\n", plain(p.law->name),
                     name_of(p.outcome), plain(p.law->statement), text,
                     markdown_code(replay_command(c)));
}

std::string failures_text(const run_result& result) {
  std::string text;
  for (const property_summary& p : summarise(result))
    if (const group_result* group = is_failure(p.outcome) ? p.first_failure() : nullptr)
      text += counterexample_text(p, *group);
  return text.empty() ? text : "## Counterexamples\n\n" + text;
}

std::string list_text(const char* heading, const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += "- " + plain(sentence) + '\n';
  return text.empty() ? text : fmt::format("## {}\n\n{}\n", heading, text);
}

std::vector<std::string> share_sentences(const run_result& result) {
  std::vector<std::string> sentences;
  for (const forgiven_share& s : result.shares)
    if (s.comparisons > 0) sentences.push_back(share_words(s));
  return sentences;
}

std::string run_text(const run_block& run) {
  return fmt::format("attest {}, {} s on {} threads of {}, {}\n", plain(run.version),
                     number_text(run.seconds), run.threads, plain(run.host), plain(run.started));
}

}  // namespace

void write_markdown(std::ostream& out, const report& r) {
  const run_result& result = r.result;
  out << "# " << plain(subject_words(result.subject)) << ": " << plain(headline(result)) << "\n\n"
      << subject_table(result) << property_table(result) << failures_text(result)
      << list_text("Not judged", unjudged_sentences(result))
      << list_text("Bounds", share_sentences(result));
  if (!r.hint.empty()) out << plain(r.hint) << "\n\n";
  if (r.run) out << run_text(*r.run) << '\n';
  out << fmt::format("Exit code {}: {}.\n", result.exit_code(),
                     meaning_of_exit_code(result.exit_code()));
}

}  // namespace attest
