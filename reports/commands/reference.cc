// attest reference: the exact answer for tensors in files.
#include <fmt/format.h>

#include <cmath>
#include <iostream>

#include "properties/exchange/array_file.h"
#include "properties/exchange/byte_source.h"
#include "reference/exact/certain_digits.h"
#include "reference/input_error.h"
#include "reference/text.h"
#include "reports/commands/command.h"
#include "reports/commands/posing.h"
#include "reports/commands/reference_arrays.h"
#include "reports/commands/reference_decimals.h"
#include "reports/commands/reference_text.h"
#include "reports/exit_code.h"
#include "reports/progress_bar.h"

namespace attest {
namespace {

void require_array_paths(const reference_options& o) {
  if (!o.out.empty() && !names_its_arrays(o.out) && o.enclosures)
    throw input_error("--enclosures with --out " + o.out +
                      " (allowed: a .npz or .safetensors file)");
  if (o.out.empty() && o.enclosures)
    throw input_error("--enclosures without --out (allowed: a .npz or .safetensors file)");
  if (!o.lse.empty()) names_its_arrays(o.lse);
}

void require_no_digits_with(bool given, const char* option) {
  if (given) throw input_error(fmt::format("--digits with {} (allowed: one of the two)", option));
}

void require_consistent(const reference_options& o) {
  require_folder(o.out);
  require_folder(o.lse);
  if (o.digits == 0) return require_array_paths(o);
  require_no_digits_with(!o.round.empty(), "--round");
  require_no_digits_with(!o.lse.empty(), "--lse");
  require_no_digits_with(o.enclosures, "--enclosures");
  require_decimals_path(o.out);
}

certified_options certified_by(const reference_options& o, progress_bar& bar) {
  certified_options options;
  options.threads = o.threads;
  options.progress = [&bar](std::int64_t done, std::int64_t of) { bar(done, of); };
  return options;
}

certified_answer certify_shown(const reference_options& o, const problem& p) {
  progress_bar bar("exact answer", "rows");
  return certify(p, certified_by(o, bar));
}

std::vector<std::string> certain_texts(const std::vector<enclosure>& all) {
  constexpr int most = 17;  // as many as tell every double
  std::vector<std::string> texts;
  for (const enclosure& x : all) texts.push_back(certain_digits(x, most));
  return texts;
}

std::vector<std::string> texts_of(const std::vector<double>& all) {
  std::vector<std::string> texts;
  for (const double x : all) texts.push_back(std::isnan(x) ? "nan" : to_text(x));
  return texts;
}

int print_certain(const reference_options& o, const array_problem& p) {
  const certified_answer a = certify_shown(o, p.posed);
  std::cout << table_text(p.posed, certain_texts(a.output), certain_texts(a.lse));
  return all_hold;
}

void write_rounded(const reference_options& o, const array_problem& p, const rounded_answer& a,
                   const certified_answer& certain, const format& f) {
  const answer_arrays both = to_arrays(p, a.output, a.lse, f);
  named_arrays arrays{{"o", both.o}};
  if (!o.out.empty() && names_its_arrays(o.out)) arrays["lse"] = both.lse;
  if (o.enclosures) add_enclosures(arrays, p, certain);
  if (!o.out.empty()) write_arrays(o.out, arrays);
  if (!o.lse.empty()) write_arrays(o.lse, {{"lse", both.lse}});
}

// What a reader must know of the rounding. Nothing is said of f64 where there is nothing to say.
int tell_rounding(const reference_options& o, const array_problem& p, const rounded_answer& a,
                  const format& f) {
  const std::string ties = ties_text(p, a, f);
  if (!o.round.empty() || ties_of(a) > 0) std::cout << ties;
  if (a.undecided == 0) return all_hold;
  std::cout << fmt::format("{} undecided: too near a tie, so perhaps one number off\n",
                           a.undecided);
  return not_judged;
}

int answer_rounded(const reference_options& o, const array_problem& p) {
  const format& f = *find_format(o.round.empty() ? "f64" : o.round);
  const certified_answer certain = certify_shown(o, p.posed);
  const rounded_answer a = round_correctly(p.posed, f, certain);
  if (o.out.empty() && o.lse.empty())
    std::cout << table_text(p.posed, texts_of(a.output), texts_of(a.lse));
  write_rounded(o, p, a, certain, f);
  return tell_rounding(o, p, a, f);
}

int answer_in_decimals(const reference_options& o, const array_problem& p) {
  const decimals all = compute_decimals(p.posed, o.digits, o.threads);
  if (o.out.empty())
    std::cout << table_text(p.posed, all.output, all.lse);
  else
    write_bytes(o.out, decimals_text(o.out, p, all, o.digits));
  return all_hold;
}

}  // namespace

int run(const reference_options& o) {
  require_consistent(o);
  const array_problem p = pose(o.posed);
  if (o.digits > 0) return answer_in_decimals(o, p);
  if (o.out.empty() && o.lse.empty() && o.round.empty()) return print_certain(o, p);
  return answer_rounded(o, p);
}

}  // namespace attest
