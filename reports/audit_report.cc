#include "reports/audit_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "reports/words/wording.h"

namespace attest {
namespace {

using json = nlohmann::ordered_json;

double share_undecided(const audited_elements& e) {
  const double all = static_cast<double>(e.decided + e.undecided);
  return all > 0 ? static_cast<double>(e.undecided) / all : 0;
}

bool is_tight(const audit_result& r) { return r.output.nearest.ratio >= least_tightness(*r.keeps); }

std::string conclusion(const audit_result& r) {
  if (!r.sound()) return "UNSOUND";
  if (r.interrupted) return "sound as far as it went";
  return is_tight(r) ? "sound, tight" : "sound, loose";
}

void write_nearest(std::ostream& out, const char* tensor, const nearest_miss& n) {
  if (n.ratio == 0) return;
  const auto [observed, expected] = telling_apart(n.observed, n.expected);
  out << fmt::format("    {} {}: {} for {} at {} of {}\n      {}\n", tensor, ratio_text(n.ratio),
                     observed, expected, n.where, n.problem, n.plan);
}

json to_json(const nearest_miss& n) {
  return {{"ratio", n.ratio},       {"bound_over_hull", n.share}, {"observed", n.observed},
          {"expected", n.expected}, {"problem", n.problem},       {"where", n.where},
          {"plan", n.plan}};
}

json to_json(const audited_elements& e) {
  return {{"decided", e.decided},
          {"undecided", e.undecided},
          {"violated", e.violated},
          {"improbable", e.improbable},
          {"median_bound_over_hull", e.median_share()},
          {"nearest", to_json(e.nearest)}};
}

json to_json(const audit_result& r) {
  return {{"contract", r.keeps->name},
          {"about", r.keeps->about},
          {"sound", r.sound()},
          {"tight", is_tight(r)},
          {"least_tightness", least_tightness(*r.keeps)},
          {"interrupted", r.interrupted},
          {"problems", r.problems},
          {"evaluations", r.evaluations},
          {"rows", r.rows},
          {"out_of_domain", r.out_of_domain},
          {"output", to_json(r.output)},
          {"lse", to_json(r.lse)},
          {"decided_outputs",
           {{"by_regime", r.regimes},
            {"by_group", r.groups},
            {"by_pressure", r.pressures},
            {"by_order", r.orders}}}};
}

}  // namespace

void write_audit_heading(std::ostream& out, const audit_options& options) {
  out << fmt::format(
      "Correct evaluations, each as unlucky as its contract allows, put to the judge (seed {}).\n\n"
      "decided     elements of o and of lse that the judge decided\n"
      "violated    of these, called wrong: none is\n"
      "improbable  of these, called next to impossible, though roundings were random\n"
      "undecided   outputs whose bound accepts too much to decide anything\n"
      "o, lse      the largest error / bound reached: above 1 the bound is unsound, near 0 loose\n"
      "bound/hull  half of the bounds are below this share of what any mixture of values could do\n"
      "\n",
      options.seed);
  out << fmt::format("{:<24} {:>12} {:>9} {:>11} {:>10} {:>8} {:>8} {:>11}\n", "contract",
                     "decided", "violated", "improbable", "undecided", "o", "lse", "bound/hull");
}

void write_audit_line(std::ostream& out, const audit_result& r) {
  out << fmt::format("{:<24} {:>12} {:>9} {:>11} {:>8.1f} % {:>8} {:>8} {:>11.2g}  {}\n",
                     r.keeps->name, count_text(r.output.decided + r.lse.decided),
                     r.output.violated + r.lse.violated, r.output.improbable + r.lse.improbable,
                     100 * share_undecided(r.output), ratio_text(r.output.nearest.ratio),
                     ratio_text(r.lse.nearest.ratio), r.output.median_share(), conclusion(r))
      << std::flush;
}

void write_audit_end(std::ostream& out, std::span<const audit_result> results) {
  out << "\nnearest to the bound\n";
  for (const audit_result& r : results) {
    out << fmt::format("  {}: {}\n", r.keeps->name, r.keeps->about);
    write_nearest(out, "o", r.output.nearest);
    write_nearest(out, "lse", r.lse.nearest);
  }
  const auto unsound =
      std::count_if(results.begin(), results.end(), [](const auto& r) { return !r.sound(); });
  const auto loose =
      std::count_if(results.begin(), results.end(), [](const auto& r) { return !is_tight(r); });
  out << fmt::format("\n{}: {} unsound, {} loose\n",
                     counted(static_cast<std::int64_t>(results.size()), "contract", "contracts"),
                     unsound, loose);
}

void write_audit_json(std::ostream& out, std::span<const audit_result> results,
                      const audit_options& options) {
  json contracts = json::array();
  for (const audit_result& r : results) contracts.push_back(to_json(r));
  const json document{{"schema_version", 1},
                      {"seed", options.seed},
                      {"evaluations", options.evaluations},
                      {"elements", options.elements},
                      {"contracts", contracts}};
  out << document.dump(2) << '\n';
}

}  // namespace attest
