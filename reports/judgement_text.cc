#include "reports/judgement_text.h"

#include <fmt/format.h>

#include <ostream>

#include "reports/words/foreign_text.h"

namespace attest {

void write_judgement(std::ostream& out, const property& law, const problem_spec& spec,
                     const judgement& found) {
  out << fmt::format("{}: {}\n", law.name, law.statement);
  out << fmt::format("  problem   {}\n", to_line(spec));
  out << fmt::format("  verdict   {}\n", name_of(found.outcome));
  if (!found.reason.empty()) out << fmt::format("  reason    {}\n", printable(found.reason));
  if (const auto& worst = found.worst) {
    out << fmt::format("  worst at  {} ({})\n", worst->where, worst->what);
    out << fmt::format("  observed  {:.17g}\n  expected  {:.17g}\n", worst->observed,
                       worst->expected);
    out << fmt::format("  bound     {:.3g}\n  ratio     {:.3g}\n", worst->bound, worst->ratio);
  }
  out << fmt::format("  judged {} comparisons, {} undecided, {} of {} rows out of domain\n",
                     found.judged, found.undecided, found.out_of_domain, found.rows);
  if (found.differences > 0)
    out << fmt::format("  observed  {} comparisons are within the bound but not equal\n",
                       found.differences);
}

}  // namespace attest
