#include "reports/rule_report.h"

#include <fmt/format.h>

#include <ostream>

#include "properties/catalogue/catalogue.h"
#include "properties/run.h"
#include "reports/words/foreign_text.h"
#include "reports/words/wording.h"

namespace attest {
namespace {

std::string line_of(std::string_view label, std::string_view text) {
  return fmt::format("{:<11}{}\n", label, text);
}

// The first problem, as a command that shows it; it is judged by attest's own bound there.
std::string first_text(const rule_report& r, const rule_finding& found) {
  if (!found.first) return "";
  const std::string line = replay_line(r.subject, matches_definition.name, *found.first);
  return line_of("", "first: attest replay " + r.subject.given_options + shell_quoted(line));
}

std::string finding_text(const rule_report& r, std::string_view label, const rule_finding& found,
                         std::string_view remark) {
  return line_of(label,
                 fmt::format("{}{}", counted(found.problems, "problem", "problems"), remark)) +
         first_text(r, found);
}

}  // namespace

void rule_finding::add(const problem_spec& spec) {
  ++problems;
  if (!first) first = spec;
}

void rule_report::add(const problem_spec& spec, const ruling& r) {
  if (!r.accepted.front()) return rejected.add(spec);
  accepted.add(spec);
  if (is_failure(r.by_bound.outcome)) accepted_wrongly.add(spec);
}

void write_rule_text(std::ostream& out, const rule_report& r) {
  out << fmt::format("Judged by the rule {}, not by the bound that attest derives.\n\n",
                     r.rule.name);
  out << line_of("subject", printable(r.subject.address));
  out << line_of("accepts", r.rule.accepts);
  out << line_of("NaN, inf", r.rule.nonfinite);
  out << line_of("source", r.rule.source);
  out << line_of("seed", fmt::format("{}, effort {}\n", r.seed, r.effort));
  out << line_of("accepted", counted(r.accepted.problems, "problem", "problems"));
  out << finding_text(r, "", r.accepted_wrongly, " of these, attest's bound proves wrong");
  out << finding_text(r, "rejected", r.rejected, "");
  out << fmt::format("\nexit code {}\n", r.rejected.problems == 0 ? 0 : 1);
}

}  // namespace attest
