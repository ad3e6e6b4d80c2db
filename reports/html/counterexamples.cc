#include "reports/html/sections.h"
#include "reports/summary.h"
#include "reports/words/foreign_text.h"
#include "reports/words/problem_words.h"
#include "reports/words/wording.h"

namespace attest {
namespace {

markup fact(std::string_view name, const markup& value) {
  return element("div", element("dt", text(name)) + element("dd", value));
}

markup place_fact(const observation& seen) {
  return fact("where", text(seen.what) + text(" at ") + element("code", text(seen.where)));
}

markup figures(const observation& seen) {
  const auto [observed, expected] = telling_apart(seen.observed, seen.expected);
  return element("dl class=figures", fact("observed", text(observed)) +
                                         fact("expected", text(expected)) +
                                         fact("error", text(error_text(seen))) +
                                         fact("bound", text(number_text(seen.bound))) +
                                         fact("ratio", text(ratio_text(seen.ratio))));
}

markup problem_facts(const counterexample& c) {
  return fact("problem", text(shape_words(c.problem))) +
         fact("asks", text(feature_words(c.problem))) +
         fact("values", text(value_words(c.problem)));
}

markup replay(const counterexample& c) {
  return element("pre class=replay tabindex=0", element("code", text(replay_command(c))));
}

markup drawn_note(const counterexample& c) {
  if (c.problem == c.drawn) return {};
  return element("p class=note",
                 text("Made smaller from ") + element("code", text(to_line(c.drawn))));
}

markup other_failure(const group_result& group) {
  const counterexample& c = *group.failure;
  markup line = element("strong", text(group.group)) + text(": ") + verdict_badge(c.found.outcome);
  if (c.found.worst) line += text(", ratio " + ratio_text(c.found.worst->ratio));
  if (!c.found.reason.empty()) line += text(", " + c.found.reason);
  return element("li", line + replay(c));
}

markup other_failures(const property_summary& p, const group_result* shown) {
  markup list;
  std::int64_t n = 0;
  for (const group_result* group : p.groups) {
    if (group == shown || !group->failure) continue;
    list += other_failure(*group);
    ++n;
  }
  if (n == 0) return {};
  return element("details",
                 element("summary", text("Fails in " + counted(n, "other group", "other groups"))) +
                     element("ul", list));
}

markup counterexample_facts(const property_summary& p, const group_result& group) {
  const counterexample& c = *group.failure;
  markup name = text(group.group);
  if (group.outcome != p.outcome) name += text(", ") + verdict_badge(group.outcome);
  markup facts = fact("group", name);
  if (!c.found.reason.empty()) facts += fact("reason", text(c.found.reason));
  if (c.found.worst) facts += place_fact(*c.found.worst);
  const markup numbers = c.found.worst ? figures(*c.found.worst) : markup{};
  return numbers + element("dl class=facts", facts + problem_facts(c));
}

markup card(const property_summary& p) {
  const group_result* group = p.first_failure();
  markup content = element("h3", breaking_name(p.law->name)) + verdict_badge(p.outcome);
  content = element("header", content) + element("p class=law", text(p.law->statement));
  if (group)
    content += counterexample_facts(p, *group) + replay(*group->failure) +
               drawn_note(*group->failure) + other_failures(p, group);
  return element("article", counterexample_id(p.law->name), content);
}

}  // namespace

markup counterexamples_section(const run_result& result) {
  markup cards;
  for (const property_summary& p : summarise(result))
    if (is_failure(p.outcome)) cards += card(p);
  if (cards.html.empty()) return {};
  return element("section",
                 element("h2", text("Counterexamples")) +
                     element("p class=note", text("The smallest failing problem found for each "
                                                  "property. The command shows it again.")) +
                     cards);
}

}  // namespace attest
