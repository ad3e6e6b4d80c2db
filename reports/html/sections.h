// The parts of the HTML report, in the order of the page. A part without content is empty.
#pragma once

#include "reports/html/markup.h"
#include "reports/report.h"

namespace attest {

markup counterexamples_section(const run_result&);
markup properties_section(const run_result&);
markup groups_section(const run_result&);
markup coverage_section(const run_result&);
markup not_judged_section(const run_result&);

// Computes: the verdict's symbol and word, in its colour.
markup verdict_badge(verdict);
// Computes: "holds", "fails" or "open": the class that colours a verdict.
std::string_view tone_of(verdict);
// Computes: a name that may break after its underscores.
markup breaking_name(std::string_view);
// Computes: the attribute that names a property's counterexample within the page, and a link that
// leads there.
markup counterexample_id(std::string_view property);
markup counterexample_link(std::string_view property, const markup& content);

// The style sheet, light, dark and for paper.
std::string_view page_style();

}  // namespace attest
