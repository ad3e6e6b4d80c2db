#include "reports/comparison_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

namespace attest {
namespace {

nlohmann::ordered_json to_json(const comparison_row& row) {
  return {{"subject", row.subject},
          {"output_format", row.output_format},
          {"elements", row.elements},
          {"wrong_class", row.wrong_class},
          {"max_error", row.max_error},
          {"rms_error", row.rms_error},
          {"worst",
           {{"ulps", row.worst_ulps},
            {"problem", row.worst_problem},
            {"where", row.worst_place},
            {"observed", row.worst_observed},
            {"expected", row.worst_expected}}}};
}

}  // namespace

void write_comparison_text(std::ostream& out, const comparison& c) {
  out << fmt::format(
      "{} problems, inputs every subject holds ({} values), seed {}; error against the exact "
      "value\n\n",
      c.problems, c.inputs, c.seed);
  out << "| subject | output | RMS error | max error | in ulps | observed there | expected there "
         "|\n"
         "|---|---|---|---|---|---|---|\n";
  for (const comparison_row& row : c.rows)
    out << fmt::format("| {} | {} | {:.2e} | {:.2e} | {:.2f} | {:.9g} | {:.9g} |\n", row.subject,
                       row.output_format, row.rms_error, row.max_error, row.worst_ulps,

                       row.worst_observed, row.worst_expected);
  out << "\nlargest error of each:\n";
  for (const comparison_row& row : c.rows)
    out << fmt::format("  {}: {} of {}\n", row.subject, row.worst_place, row.worst_problem);
  for (const comparison_row& row : c.rows)
    if (row.wrong_class > 0)
      out << fmt::format(
          "  {}: {} of {} elements are NaN or infinite where the answer is not, or the reverse\n",
          row.subject, row.wrong_class, row.elements);
}

void write_comparison_json(std::ostream& out, const comparison& c) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const comparison_row& row : c.rows) rows.push_back(to_json(row));
  const nlohmann::ordered_json document{{"seed", c.seed},
                                        {"problems", c.problems},
                                        {"inputs", c.inputs},
                                        {"regime", c.regime},
                                        {"rows", rows}};
  out << document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

}  // namespace attest
