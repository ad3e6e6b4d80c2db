#include "reports/power_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "reports/words/foreign_text.h"
#include "reports/words/wording.h"

namespace attest {
namespace {

using names = std::vector<std::string>;

std::string line_of(std::string_view rule, const std::string& usual, const std::string& drawn) {
  return fmt::format("| {} | {} | {} |\n", rule, usual, drawn);
}

std::string counts_text(const power_column& c) {
  return fmt::format("{} | {}", c.missed.size(), c.rejected.size());
}

std::string table_text(const power_table& t) {
  std::string text =
      "| rule | missed, usual problems | rejected, usual problems | missed, attest's problems | "
      "rejected, attest's problems |\n|---|---|---|---|---|\n";
  for (const power_row& row : t.peers)
    text += line_of(row.name, counts_text(row.on_usual), counts_text(row.on_drawn));
  text += line_of(t.bound.name, counts_text(t.bound.on_usual), counts_text(t.bound.on_drawn));
  return text + line_of("attest", "- | -", counts_text(t.attest));
}

// "a, b, c, d, e and 3 more"
std::string folded(const names& list) {
  constexpr std::size_t most = 5;
  std::string text;
  for (std::size_t n = 0; n < list.size() && n < most; ++n)
    text += (n == 0 ? "" : ", ") + printable(list[n]);
  return list.size() > most ? fmt::format("{} and {} more", text, list.size() - most) : text;
}

std::string names_line(std::string_view rule, std::string_view on, const names& list) {
  return list.empty() ? "" : fmt::format("  {}{}: {}\n", rule, on, folded(list));
}

std::string names_text(const power_table& t, names power_column::*which) {
  std::string text;
  const auto add = [&](const power_row& row) {
    text += names_line(row.name, ", usual problems", row.on_usual.*which);
    text += names_line(row.name, ", attest's problems", row.on_drawn.*which);
  };
  for (const power_row& row : t.peers) add(row);
  add(t.bound);
  return text + names_line("attest", "", t.attest.*which);
}

std::string section(std::string_view heading, const std::string& lines) {
  return lines.empty() ? "" : fmt::format("\n{}\n{}", heading, lines);
}

nlohmann::ordered_json to_json(const power_column& c) {
  return {{"missed", c.missed}, {"rejected", c.rejected}};
}

nlohmann::ordered_json to_json(const power_row& row) {
  return {{"rule", row.name},
          {"accepts", row.accepts},
          {"source", row.source},
          {"usual_problems", to_json(row.on_usual)},
          {"attest_problems", to_json(row.on_drawn)}};
}

}  // namespace

void write_power_text(std::ostream& out, const power_table& t) {
  out << fmt::format(
      "{}, {}, seed {}, {} for each subject\n\n",
      counted(static_cast<std::int64_t>(t.wrong.size()), "wrong subject", "wrong subjects"),
      counted(static_cast<std::int64_t>(t.right.size()), "right one", "right ones"),
      t.settings.seed, counted(t.settings.problems, "usual problem", "usual problems"));
  if (t.interrupted) out << "interrupted: these were tried\n\n";
  out << table_text(t);
  out << section("missed: wrong, and accepted on every problem",
                 names_text(t, &power_column::missed));
  out << section("rejected: right, and not accepted on every problem",
                 names_text(t, &power_column::rejected));
  out << section("right, but attest judged too little to pass them",
                 names_line("attest", "", t.not_judged));
}

void write_power_json(std::ostream& out, const power_table& t) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const power_row& row : t.peers) rows.push_back(to_json(row));
  rows.push_back(to_json(t.bound));
  const nlohmann::ordered_json document{{"seed", t.settings.seed},
                                        {"usual_problems", t.settings.problems},
                                        {"property", t.settings.property},
                                        {"interrupted", t.interrupted},
                                        {"wrong", t.wrong},
                                        {"right", t.right},
                                        {"rules", rows},
                                        {"attest", to_json(t.attest)},
                                        {"not_judged", t.not_judged}};
  out << document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

}  // namespace attest
