// attest infer: the tightest preset that a subject satisfies, and a contract file to start from.
#include "properties/infer/infer.h"

#include <fmt/format.h>

#include <fstream>
#include <iostream>

#include "properties/exchange/byte_source.h"
#include "properties/exchange/contract_json.h"
#include "reference/contract/presets.h"
#include "reference/input_error.h"
#include "reports/commands/command.h"
#include "reports/commands/seed.h"
#include "reports/exit_code.h"
#include "reports/progress_meter.h"

namespace attest {
namespace {

std::string ratio_text(double ratio) { return fmt::format("{:.3g}", ratio); }

void print_preset(const contract_trial& t, bool chosen) {
  std::cout << fmt::format("  {} {:<18} {:>11} {:>16}", chosen ? '>' : ' ', t.tried.name,
                           ratio_text(t.worst_ratio), ratio_text(t.mean_share));
  if (!t.holds()) std::cout << fmt::format("   exceeded at {} of '{}'", t.place, t.problem);
  std::cout << '\n';
}

void print_explanation(const contract_trial& refuted, const std::vector<field_trial>& needed) {
  std::cout << fmt::format("\n  what sets it apart from {}, which is exceeded {} times:\n",
                           refuted.tried.name, ratio_text(refuted.worst_ratio));
  for (const field_trial& f : needed)
    std::cout << fmt::format("    {:<24} {} (with {} the worst ratio is {})\n", f.field, f.to,
                             f.from, ratio_text(f.worst_ratio));
}

void print_tightened(const std::vector<field_trial>& fields) {
  if (fields.empty()) return;
  std::cout << "\n  could be declared more tightly, one after the other:\n";
  for (const field_trial& f : fields)
    std::cout << fmt::format("    {:<24} {} -> {}: worst ratio {}\n", f.field, f.from, f.to,
                             ratio_text(f.worst_ratio));
}

void print(const inference& found) {
  std::cout << fmt::format("\n{} inputs: {}\n", found.inputs->name,
                           found.tightest ? found.presets[*found.tightest].tried.name +
                                                " is the tightest preset that is satisfied"
                                          : std::string("no preset is satisfied"));
  std::cout << fmt::format("    {:<18} {:>11} {:>16}\n", "preset", "worst ratio", "bound / hull");
  for (std::size_t n = 0; n < found.presets.size(); ++n)
    print_preset(found.presets[n], found.tightest == n);
  if (!found.tightest) return;
  if (*found.tightest > 0) print_explanation(found.presets[*found.tightest - 1], found.explanation);
  print_tightened(found.tightened);
}

// One object, or a list where there are several formats.
void write_contracts(const std::string& path, const std::vector<inference>& list) {
  std::string text;
  for (const inference& found : list) {
    if (!found.tightest) continue;
    const std::string one =
        to_json_text(found.proposal, find_contract(found.presets[*found.tightest].tried.name));
    text += (text.empty() ? "" : ",\n") + one.substr(0, one.size() - 1);
  }
  const bool several = list.size() > 1;
  write_bytes(path, (several ? "[" : "") + text + (several ? "]\n" : "\n"));
  std::cout << "\nwrote " << path << ": read it, confirm it, and declare it (--contract " << path
            << ")\n";
}

}  // namespace

int run(const infer_options& o) {
  const std::unique_ptr<subject> s = open_subject(o.subject, {.run = o.run});
  infer_settings options;
  options.seed = parse_seed(o.seed);
  options.problems = o.problems;
  std::vector<inference> list;
  {
    progress_meter meter("inferring the contract of " + s->info().name);
    list = infer_contracts(*s, options, std::ref(meter));
  }
  std::cout << fmt::format("subject  {} ({} {})\nseed     {}, {} problems a format\n", o.subject,
                           s->info().name, s->info().version, options.seed, options.problems);
  for (const inference& found : list) print(found);
  const bool all =
      std::all_of(list.begin(), list.end(), [](const auto& f) { return !!f.tightest; });
  if (!o.out.empty()) write_contracts(o.out, list);
  if (list.size() < s->info().inputs.size()) return not_judged;
  return all ? all_hold : something_failed;
}

}  // namespace attest
