#include <charconv>
#include <ostream>

#include "reports/derivation_report.h"
#include "reports/html/derivation_style.h"
#include "reports/html/markup.h"
#include "reports/html/sections.h"

namespace attest {
namespace {

// The page may load nothing and run nothing.
constexpr std::string_view policy = "default-src 'none'; style-src 'unsafe-inline'";

std::string sentence(std::string words) {
  words[0] =
      static_cast<char>(words[0] >= 'a' && words[0] <= 'z' ? words[0] - 'a' + 'A' : words[0]);
  return words;
}

std::string tone_of_claim(claim_verdict v) {
  if (v == claim_verdict::cited) return "open";
  return v == claim_verdict::holds ? "holds" : "fails";
}

markup badge(claim_verdict v) {
  return element(
      "span", attribute("class", "verdict " + tone_of_claim(v)),
      element("span class=symbol aria-hidden=true", text(symbol_of(v))) + text(name_of(v)));
}

bool is_number(std::string_view cell) {
  double x = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), x);
  return error == std::errc{} && end == cell.data() + cell.size();
}

// A weight in [0, 1]: the stronger the larger, and never so strong that the number in it can't be
// read.
markup shaded_cell(const std::string& cell) {
  if (!is_number(cell)) return element("td class=heat", text(cell));
  return element("td class=heat", attribute("style", "--w:" + cell), text(cell));
}

markup plain_cell(const std::string& cell) {
  constexpr std::size_t long_number = 8;  // digits to be compared line by line
  if (cell.size() < long_number || !is_number(cell)) return element("td", text(cell));
  return element("td class=digits", text(cell));
}

markup table_row(const evidence_table& table, std::size_t n) {
  const std::vector<std::string>& row = table.rows[n];
  markup cells = element("th scope=row", text(row.front()));
  for (std::size_t c = 1; c < row.size(); ++c)
    cells += table.heatmap ? shaded_cell(row[c]) : plain_cell(row[c]);
  if (table.marked != n) return element("tr", cells);
  return element("tr class=marked", cells);
}

markup table_head(const evidence_table& table) {
  markup cells;
  for (const std::string& name : table.columns) cells += element("th scope=col", text(name));
  return element("thead", element("tr", cells));
}

markup table_of(const evidence_table& table) {
  markup rows;
  for (std::size_t n = 0; n < table.rows.size(); ++n) rows += table_row(table, n);
  return element("figure", attribute("class", table.heatmap ? "heatmap" : "plain"),
                 element("figcaption", text(table.title)) +
                     element("div class=scroll tabindex=0",
                             element("table", table_head(table) + element("tbody", rows))));
}

markup fact(std::string_view name, std::string_view words) {
  if (words.empty()) return {};
  return element("div", element("dt", text(name)) + element("dd", text(words)));
}

markup numbered(const std::vector<std::string>& lines) {
  markup items;
  for (const std::string& line : lines) items += element("li", text(sentence(line)));
  return lines.empty() ? markup{} : element("ol", items);
}

markup control_item(const negative_control& c) {
  const markup verdict = c.detected ? element("span class=holds", text("noticed"))
                                    : element("span class=fails", text("not noticed"));
  return element("li", text(sentence(c.broken)) + text(": ") + text(c.seen) + text(" (") + verdict +
                           text(")"));
}

markup controls(const std::vector<negative_control>& list) {
  markup items;
  for (const negative_control& c : list) items += control_item(c);
  if (list.empty()) return {};
  return element("h4", text("Broken on purpose")) + element("ul class=controls", items);
}

markup claim_article(const claim_result& result) {
  const claim& c = *result.about;
  markup content = element("header", element("h3", breaking_name(c.id)) + badge(result.verdict()) +
                                         element("span class=kind", text(name_of(c.kind))));
  content += element("p class=law", text(c.statement));
  content += element("dl", fact("assumes", c.assumptions) + fact("source", c.source));
  content += numbered(result.found.lines);
  markup tables;
  for (const evidence_table& table : result.found.tables) tables += table_of(table);
  content += element("div class=figures", tables);
  return element("article", attribute("id", c.id), content + controls(result.found.controls));
}

markup contents_row(const claim_result& result) {
  const claim& c = *result.about;
  const markup link = element("a", attribute("href", std::string("#").append(c.id)), text(c.id));
  return element("tr", element("td", badge(result.verdict())) + element("th scope=row", link) +
                           element("td", text(name_of(c.kind))) + element("td", text(c.statement)));
}

markup contents(std::span<const claim_result> results) {
  markup rows;
  for (const claim_result& r : results) rows += contents_row(r);
  const markup head{
      "<thead><tr><th scope=col>verdict</th><th scope=col>claim</th><th scope=col>evidence</th>"
      "<th scope=col>statement</th></tr></thead>"};
  return element(
      "nav class=contents aria-label=Claims",
      element("div class=scroll tabindex=0", element("table", head + element("tbody", rows))));
}

// The claims of one section, which stand together.
markup sections(std::span<const claim_result> results) {
  markup all, section;
  for (std::size_t n = 0; n < results.size(); ++n) {
    const std::string_view name = results[n].about->section;
    section += claim_article(results[n]);
    if (n + 1 < results.size() && results[n + 1].about->section == name) continue;
    all += element("section", element("h2", text(section_title(name))) + section);
    section = {};
  }
  return all;
}

markup head(std::span<const claim_result> results) {
  markup content{"<meta charset=utf-8>\n<meta http-equiv=Content-Security-Policy"};
  content += attribute("content", policy);
  content +=
      {">\n<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
       "<meta name=color-scheme content=\"light dark\">\n"};
  content += element("title", text("Derivation: " + derivation_headline(results)));
  return content + element("style", {std::string(page_style()) + std::string(derivation_style())});
}

markup heading(std::span<const claim_result> results) {
  const claim_verdict verdict = all_passed(results) ? claim_verdict::holds : claim_verdict::fails;
  return element("h1", attribute("class", tone_of_claim(verdict)),
                 element("span class=symbol aria-hidden=true", text(symbol_of(verdict))) +
                     text(sentence(derivation_headline(results))));
}

markup lead() {
  return element("p class=lead", text("Each claim is one step of the derivation of attention, "
                                      "checked by machine on the definition "
                                      "itself. Evidence is exact, rigorous (an enclosure decides), "
                                      "digits (two evaluations agree), "
                                      "statistical, refuted or cited. Where a claim assumes "
                                      "something, the assumption is broken on "
                                      "purpose, and the check must notice."));
}

}  // namespace

void write_derivation_html(std::ostream& out, std::span<const claim_result> results) {
  out << "<!doctype html>\n<html lang=en>\n<head>\n"
      << head(results).html << "</head>\n<body>\n"
      << element("header class=page",
                 element("p class=brand", text("attest derive")) + heading(results) + lead())
             .html
      << element("main", contents(results) + sections(results)).html << "\n</body>\n</html>\n";
}

}  // namespace attest
