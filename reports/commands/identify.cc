// attest identify: the conventions of a subject, with the inputs that settled them.
#include "properties/identify/identify.h"

#include <iostream>

#include "reports/commands/command.h"
#include "reports/exit_code.h"
#include "reports/identification_report.h"

namespace attest {

int run(const identify_options& o) {
  const std::unique_ptr<subject> s = open_subject(o.subject, o.declared);
  const identification found = identify(*s);
  for (const std::string& path : o.reports) write_identification_file(path, s->info(), found);
  write_identification_text(std::cout, s->info(), found);
  return found.consistent() ? all_hold : not_judged;
}

}  // namespace attest
