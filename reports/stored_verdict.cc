#include "reports/stored_verdict.h"

#include <fmt/format.h>

#include <ostream>

#include "reports/words/wording.h"

namespace attest {

void write_stored_line(std::ostream& out, std::string_view name, const std::string& text) {
  out << fmt::format("{:<11} {}\n", name, text);
}

void write_stored_verdict(std::ostream& out, const judgement& j, const contract& kept,
                          bool is_default, std::string_view of) {
  write_stored_line(out, "contract",
                    kept.name + (is_default ? fmt::format(" (the default of {}'s type)", of) : ""));
  write_stored_line(out, "verdict",
                    fmt::format("{}: {} elements judged, {} undecided", name_of(j.outcome),
                                count_text(j.judged), count_text(j.undecided)));
  if (!j.worst) return;
  const auto [observed, expected] = telling_apart(j.worst->observed, j.worst->expected);
  write_stored_line(out, is_failure(j.outcome) ? "at" : "nearest",
                    fmt::format("{}: {} for {}, {} times the bound of {:.4g}", j.worst->where,
                                observed, expected, ratio_text(j.worst->ratio), j.worst->bound));
}

exit_code exit_code_of(const judgement& j) {
  if (is_failure(j.outcome)) return something_failed;
  return j.judged > 0 && j.undecided == 0 ? all_hold : not_judged;
}

}  // namespace attest
