#include <algorithm>

#include "reports/html/sections.h"
#include "reports/summary.h"
#include "reports/words/wording.h"

namespace attest {
namespace {

markup number_cell(std::string_view digits) { return element("td class=number", text(digits)); }
markup count_cell(std::int64_t n) { return number_cell(count_text(n)); }
markup head_cell(std::string_view name) { return element("th scope=col", text(name)); }
markup number_head(std::string_view name) {
  return element("th scope=col class=number", text(name));
}

// Wide tables scroll inside their own frame, by touch or keyboard.
markup table(tag kind, std::string_view name, const markup& head, const markup& rows) {
  return element("div class=scroll tabindex=0 role=region", attribute("aria-label", name),
                 element(kind, element("thead", element("tr", head)) + element("tbody", rows)));
}

markup section(std::string_view title, std::string_view note, const markup& content) {
  return element("section",
                 element("h2", text(title)) + element("p class=note", text(note)) + content);
}

std::string ratio_or_dash(const counts& c, double ratio) {
  return c.judged > 0 || ratio > 0 ? ratio_text(ratio) : "\u2013";
}

// --- Properties ---

markup law_cell(const property& law) {
  return element("th scope=row",
                 breaking_name(law.name) + element("span class=law", text(law.statement)));
}

markup property_row(const property_summary& p) {
  return element("tr", law_cell(*p.law) + element("td", verdict_badge(p.outcome)) +
                           count_cell(p.sum.problems) + count_cell(p.sum.judged) +
                           count_cell(p.sum.undecided) +
                           number_cell(ratio_or_dash(p.sum, p.worst_ratio)));
}

markup unrun_row(const property& law) {
  const markup none = number_cell("\u2013");
  return element("tr", law_cell(law) + element("td", text("not run")) + none + none + none + none);
}

// --- Groups ---

const group_result* find_group(const property_summary& p, const std::string& name) {
  for (const group_result* group : p.groups)
    if (group->group == name) return group;
  return nullptr;
}

markup group_cell(const property_summary& p, const std::string& name) {
  const group_result* group = find_group(p, name);
  if (!group) return element("td class=none", text("\u2013"));
  const markup badge = verdict_badge(verdict_of(*group));
  const bool fails = is_failure(group->outcome);
  const markup link = fails ? counterexample_link(p.law->name, badge) : badge;
  return element("td",
                 link + element("span class=ratio",
                                text(ratio_or_dash(counts_of(*group), worst_ratio_of(*group)))));
}

markup groups_row(const property_summary& p, const std::vector<std::string>& groups) {
  markup cells = element("th scope=row", breaking_name(p.law->name));
  for (const std::string& name : groups) cells += group_cell(p, name);
  return element("tr", cells);
}

// --- Features ---

markup coverage_state(const feature_coverage& c) {
  if (is_covered(c)) return element("span class=\"verdict holds\"", text("\u2713 judged"));
  return element("span class=\"verdict open\"", text("? too little judged"));
}

markup coverage_row(const feature_coverage& c) {
  const markup name =
      breaking_name(name_of(c.what)) + element("span class=law", text(meaning_of(c.what)));
  return element("tr", element("th scope=row", name) +
                           element("td", text(c.required ? "declared, required" : "declared")) +
                           element("td", coverage_state(c)) + count_cell(c.problems) +
                           count_cell(c.judged) + count_cell(c.rows) + count_cell(c.out_of_domain));
}

markup undeclared_item(const feature_coverage& c) {
  return element("strong", text(name_of(c.what))) +
         text(c.required ? " (required), " + std::string(meaning_of(c.what))
                         : ", " + std::string(meaning_of(c.what)));
}

markup undeclared_list(const run_result& result) {
  markup items;
  for (const feature_coverage& c : result.coverage)
    if (!c.declared) items += element("li", undeclared_item(c));
  if (items.html.empty()) return {};
  return element("h3", text("Not declared, not judged")) +
         element("p class=note",
                 text("The subject does not claim these features. Nothing here says "
                      "what it does with them.")) +
         element("ul class=undeclared", items);
}

markup declared_table(const run_result& result) {
  markup rows;
  for (const feature_coverage& c : result.coverage)
    if (c.declared) rows += coverage_row(c);
  if (rows.html.empty()) return element("p", text("The subject declares no feature."));
  return table("table", "Coverage of features",
               head_cell("feature") + head_cell("declared") + head_cell("coverage") +
                   number_head("problems") + number_head("judged") + number_head("rows") +
                   number_head("out of domain"),
               rows);
}

markup shares_list(const run_result& result) {
  markup items;
  for (const forgiven_share& s : result.shares)
    if (s.comparisons > 0) items += element("li", text(share_words(s)));
  if (items.html.empty()) return {};
  return element("h3", text("What the bounds let pass")) + element("ul", items);
}

}  // namespace

markup properties_section(const run_result& result) {
  markup rows;
  for (const property_summary& p : summarise(result)) rows += property_row(p);
  for (const property* law : not_run(result)) rows += unrun_row(*law);
  return section(
      "Properties",
      "Laws that any right implementation keeps. The ratio is error over bound, the largest "
      "seen: above 1 the law is violated.",
      table("table", "Properties",
            head_cell("property") + head_cell("verdict") + number_head("problems") +
                number_head("comparisons") + number_head("undecided") + number_head("worst ratio"),
            rows));
}

markup groups_section(const run_result& result) {
  const std::vector<std::string> groups = group_names(result);
  markup head = head_cell("property"), rows;
  for (const std::string& name : groups) head += element("th scope=col", breaking_name(name));
  for (const property_summary& p : summarise(result)) rows += groups_row(p, groups);
  return section("By feature",
                 "Each group of problems is built around one feature. Below each verdict stands "
                 "the worst ratio; a dash "
                 "means that the law has no such group.",
                 table("table class=matrix", "Verdicts by property and group", head, rows));
}

markup coverage_section(const run_result& result) {
  return section("Coverage", "What the subject declares, and how much of it was looked at.",
                 declared_table(result) + undeclared_list(result) + shares_list(result));
}

markup not_judged_section(const run_result& result) {
  markup items;
  for (const std::string& sentence : unjudged_sentences(result))
    items += element("li", text(sentence));
  if (items.html.empty()) return {};
  return element("section", element("h2", text("Not judged")) + element("ul", items));
}

}  // namespace attest
