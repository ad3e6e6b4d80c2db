// attest derive: the claims of the derivation, checked.
#include <algorithm>
#include <iostream>

#include "derivation/claims/catalogue.h"
#include "reports/commands/command.h"
#include "reports/derivation_report.h"
#include "reports/exit_code.h"

namespace attest {

int run(const derive_options& o) {
  const std::vector<claim_result> results = check_claims(o.claim);
  write_derivation_text(std::cout, results);
  for (const std::string& path : o.reports) write_derivation_file(path, results);
  const bool passed =
      std::all_of(results.begin(), results.end(), [](const claim_result& r) { return r.passed(); });
  return passed ? all_hold : something_failed;
}

}  // namespace attest
