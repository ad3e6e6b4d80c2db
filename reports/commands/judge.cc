// attest judge: whether an output that a program stored with its inputs is right.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "properties/dump/other_readings.h"
#include "properties/dump/slice.h"
#include "properties/exchange/array_file.h"
#include "reference/input_error.h"
#include "reference/text.h"
#include "reports/commands/command.h"
#include "reports/commands/posing.h"
#include "reports/commands/seed.h"
#include "reports/dump_report.h"
#include "reports/progress_bar.h"
#include "reports/words/foreign_text.h"

namespace attest {
namespace {

void require_slice(const std::string& path) {
  require_folder(path);
  if (!path.empty() && !names_its_arrays(path))
    throw input_error("--slice " + path + " (allowed: a .npz or .safetensors file)");
}

dump read_dump(const judge_options& o) {
  dump d = to_dump(find_arrays(o.posed.files, arrays_beside::answer), axis_order_of(o.layout));
  read_under(o.posed, d.posed);
  return d;
}

std::string number_options(const posing_options& o) {
  std::string words;
  if (o.scale) words += " --scale " + to_text(*o.scale);
  if (o.soft_cap > 0) words += " --soft-cap " + to_text(o.soft_cap);
  if (o.dropout_scale != 1) words += " --dropout-scale " + to_text(o.dropout_scale);
  return words;
}

std::string reading_of(const posing_options& o) {
  std::string words;
  if (o.causal != "none") words += " --causal " + o.causal;
  if (!o.window.empty()) words += " --window " + o.window;
  words += number_options(o);
  return words.empty() ? words : words.substr(1);
}

std::string files_of(const problem_files& f) {
  std::string words;
  for (const std::string& path : f.in) words += (words.empty() ? "" : ", ") + path;
  return words;
}

dump_judgement judge_shown(const dump& d, const contract& c, dump_options options) {
  progress_bar bar("judging", "rows");
  options.progress = std::ref(bar);
  return judge_dump(d, c, options);
}

// The worst rows, and some of the others: what makes those right must not make these wrong.
std::vector<row_index> rows_to_look_at_again(const dump& d, const dump_judgement& j,
                                             std::uint64_t seed) {
  constexpr std::int64_t others = 16;
  std::vector<row_index> rows = rows_to_judge(d, {others, seed});
  for (const failing_row& row : j.worst) rows.push_back(row.place);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

void write_slice(dump_report& r, const dump& d, const judge_options& o) {
  dump cut = cut_row(d, r.judged.worst.front().place);
  if (!judge_dump(cut, r.kept, {}).fails()) return;
  r.slice_keys = cut.posed.dims.keys;
  write_arrays(o.slice, to_arrays(cut));
  r.slice = o.slice;
  r.slice_command =
      fmt::format("attest judge --in {} --contract {} --profile {}{}", shell_quoted(o.slice),
                  shell_quoted(o.contract.empty() ? r.kept.name : o.contract),
                  shell_quoted(o.posed.profile), number_options(o.posed));
}

}  // namespace

int run(const judge_options& o) {
  require_posing(o.posed);
  require_slice(o.slice);
  require_folder(o.report);
  dump_report r;
  r.seed = parse_seed(o.seed);
  dump d = read_dump(o);
  r.file = files_of(o.posed.files);
  r.dims = d.posed.dims;
  r.stored = d.stored;
  r.kept = contract_of(d, o.contract);
  r.contract_is_default = o.contract.empty();
  r.profile = o.posed.profile;
  r.reading = reading_of(o.posed);
  r.judged = judge_shown(d, r.kept, {o.rows, r.seed});
  if (r.judged.fails()) {
    r.readings = readings_that_hold(d, r.kept, rows_to_look_at_again(d, r.judged, r.seed));
    if (!o.slice.empty()) write_slice(r, d, o);
  }
  write_dump_text(std::cout, r);
  if (!o.report.empty()) write_dump_file(o.report, r);
  return r.exit_code();
}

}  // namespace attest
