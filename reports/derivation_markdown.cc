#include <ostream>

#include "reports/derivation_report.h"
#include "reports/words/markdown_text.h"

namespace attest {
namespace {

std::string plain(std::string_view words) { return markdown_text(words); }

std::string table_row(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = plain(cell);
  return markdown_row(cells);
}

void write_table(std::ostream& out, const evidence_table& table) {
  out << "\n"
      << plain(table.title) << ":\n\n"
      << table_row(table.columns) << markdown_rule(table.columns.size());
  for (const auto& row : table.rows) out << table_row(row);
}

void write_controls(std::ostream& out, const std::vector<negative_control>& controls) {
  if (!controls.empty()) out << "\nBroken on purpose:\n\n";
  for (const negative_control& c : controls)
    out << "- " << (c.detected ? "noticed" : "**not noticed**") << ": " << plain(c.broken) << ": "
        << plain(c.seen) << '\n';
}

void write_claim(std::ostream& out, const claim_result& result) {
  const claim& c = *result.about;
  out << "\n### " << symbol_of(result.verdict()) << ' ' << plain(c.id) << ": "
      << name_of(result.verdict()) << " (" << name_of(c.kind) << ")\n\n"
      << plain(c.statement) << '\n';
  if (!c.assumptions.empty()) out << "\nAssumes: " << plain(c.assumptions) << '\n';
  out << "\nSource: " << plain(c.source) << "\n\n";
  for (std::size_t n = 0; n < result.found.lines.size(); ++n)
    out << n + 1 << ". " << plain(result.found.lines[n]) << '\n';
  for (const evidence_table& table : result.found.tables) write_table(out, table);
  write_controls(out, result.found.controls);
}

}  // namespace

void write_derivation_markdown(std::ostream& out, std::span<const claim_result> results) {
  out << "# Derivation: " << plain(derivation_headline(results)) << '\n';
  std::string_view section;
  for (const claim_result& r : results) {
    if (r.about->section != section) out << "\n## " << section_title(r.about->section) << '\n';
    section = r.about->section;
    write_claim(out, r);
  }
}

}  // namespace attest
