// What `attest derive` found, written for machines and people. Every writer renders the same
// results, in their order, and nothing else: the same results give the same bytes.
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

#include "derivation/claims/claim.h"

namespace attest {

// What `attest derive` prints.
void write_derivation_text(std::ostream&, std::span<const claim_result>);
void write_derivation_markdown(std::ostream&, std::span<const claim_result>);
// Keys: schema_version, headline, passed, checked, claims; a claim: id, section, statement,
// assumptions, evidence, source, verdict, lines, tables, controls.
void write_derivation_json(std::ostream&, std::span<const claim_result>);
// One HTML page without network or script: contents with the verdicts, then each claim with its
// evidence.
void write_derivation_html(std::ostream&, std::span<const claim_result>);

// Writes by the ending of the path: .json, .md, .html or .txt.
// Error: input_error for another ending, or a file that can't be written.
void write_derivation_file(const std::string& path, std::span<const claim_result>);

// Computes: whether no claim fails or is blind.
bool all_passed(std::span<const claim_result>);
// Computes: "all 3 claims hold", "1 of 3 claims does not hold: one_cell".
std::string derivation_headline(std::span<const claim_result>);
// Computes: a section's folder as a title: "Shape and formula".
std::string section_title(std::string_view section);
// A verdict at a glance: "✓", "✗", "?" or "–".
std::string_view symbol_of(claim_verdict);

}  // namespace attest
