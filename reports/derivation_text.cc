#include <algorithm>
#include <ostream>

#include "reports/derivation_report.h"

namespace attest {
namespace {

constexpr std::size_t text_columns = 100;

// Breaks at blanks; every line after the first starts under the text, which starts at `indent`.
void write_wrapped(std::ostream& out, std::string_view words, std::size_t indent) {
  std::size_t column = indent;
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    if (column > indent && column + 1 + word.size() > text_columns) {
      out << '\n' << std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out << ' ';
      ++column;
    }
    out << word;
    column += word.size();
  }
  out << '\n';
}

void write_labelled(std::ostream& out, const std::string& label, std::string_view words) {
  if (words.empty()) return;
  out << label;
  write_wrapped(out, words, label.size());
}

// Domain: ASCII cells.
std::vector<std::size_t> column_widths(const evidence_table& table) {
  std::vector<std::size_t> widths;
  for (const std::string& name : table.columns) widths.push_back(name.size());
  for (const auto& row : table.rows)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  return widths;
}

std::string padded_row(const std::vector<std::string>& cells,
                       const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t c = 0; c < cells.size(); ++c)
    line.append(cells[c]).append(widths[c] + 2 - cells[c].size(), ' ');
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

void write_table(std::ostream& out, const evidence_table& table) {
  const std::vector<std::size_t> widths = column_widths(table);
  out << "\n      " << table.title << "\n      " << padded_row(table.columns, widths) << '\n';
  for (std::size_t n = 0; n < table.rows.size(); ++n)
    out << (table.marked == n ? "    > " : "      ") << padded_row(table.rows[n], widths) << '\n';
}

void write_control(std::ostream& out, const negative_control& control) {
  write_labelled(out,
                 control.detected ? "    broken on purpose, noticed: "
                                  : "    broken on purpose, NOT NOTICED: ",
                 control.broken + ": " + control.seen);
}

void write_claim(std::ostream& out, const claim_result& result) {
  const claim& c = *result.about;
  out << '\n' << name_of(result.verdict()) << "  " << c.id << " (" << name_of(c.kind) << ")\n";
  write_labelled(out, "    ", c.statement);
  write_labelled(out, "    assumes: ", c.assumptions);
  write_labelled(out, "    source: ", c.source);
  for (std::size_t n = 0; n < result.found.lines.size(); ++n)
    write_labelled(out, "    " + std::to_string(n + 1) + ". ", result.found.lines[n]);
  for (const evidence_table& table : result.found.tables) write_table(out, table);
  if (!result.found.tables.empty() && !result.found.controls.empty()) out << '\n';
  for (const negative_control& control : result.found.controls) write_control(out, control);
}

}  // namespace

void write_derivation_text(std::ostream& out, std::span<const claim_result> results) {
  std::string_view section;
  for (const claim_result& r : results) {
    if (r.about->section != section)
      out << (section.empty() ? "" : "\n") << section_title(r.about->section) << '\n';
    section = r.about->section;
    write_claim(out, r);
  }
  out << '\n' << derivation_headline(results) << '\n';
}

}  // namespace attest
