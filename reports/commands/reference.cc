// attest reference: the exact answer for tensors in files.
#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <memory>

#include "properties/exchange/array_problem.h"
#include "properties/judge.h"
#include "reference/input_error.h"
#include "reference/semantics/profiles.h"
#include "reference/text.h"
#include "reports/commands/command.h"

namespace attest {
namespace {

causal_anchor parse_causal(const std::string& text) {
  if (text == "none") return causal_anchor::none;
  return text == "top_left" ? causal_anchor::top_left : causal_anchor::bottom_right;
}

window parse_window(const std::string& text) {
  if (text.empty()) return {};
  const auto ends = split(text, ',');
  if (ends.size() != 2)
    throw input_error("--window is '" + text + "' (allowed: LEFT,RIGHT, -1 for an open side)");
  const window w{parse_integer(ends[0], "--window LEFT"), parse_integer(ends[1], "--window RIGHT")};
  if (w.left < -1 || w.right < -1)
    throw input_error("--window is '" + text + "' (allowed: -1 or more on each side)");
  return w;
}

void require_finite(double x, const char* option) {
  if (!std::isfinite(x))
    throw input_error(std::string(option) + " is " + to_text(x) + " (allowed: a finite number)");
}

array_problem read(const reference_options& o) {
  if (o.scale) require_finite(*o.scale, "--scale");
  require_finite(o.soft_cap, "--soft-cap");
  problem_files files = o.files;
  files.q = o.in[0];
  files.k = o.in[1];
  files.v = o.in[2];
  array_problem read = read_problem(files);
  read.posed.rules = find_profile(o.profile);
  read.posed.causal = parse_causal(o.causal);
  read.posed.sliding = parse_window(o.window);
  read.posed.scale = o.scale;
  read.posed.soft_cap = o.soft_cap;
  return read;
}

// The exact answer, rounded to f64: the distance from the exact value is half an ulp.
struct rounded_answer {
  tensor o;
  tensor lse;
};

rounded_answer exact_answer(const problem& p) {
  rounded_answer a{tensor(f64, place(layout::bhld, p.dims.o_sizes()), 0),
                   tensor(f64, place(layout::bhld, p.dims.lse_sizes()), 0)};
  for_each_row(p.dims, [&](const row_index& row) {
    const exact_row exact = compute_exact_row(p, row);
    for (std::int64_t d = 0; d < p.dims.value_width; ++d)
      a.o.set({row.b, row.h, row.i, d}, exact.output[static_cast<std::size_t>(d)].high);
    a.lse.set({row.b, row.h, row.i, 0}, exact.lse.high);
  });
  return a;
}

void print(const problem& p, const rounded_answer& a) {
  for_each_row(p.dims, [&](const row_index& row) {
    std::string line = place_of("o", row, -1);
    for (std::int64_t d = 0; d < p.dims.value_width; ++d)
      line += fmt::format(" {:.17g}", a.o.at(row.b, row.h, row.i, d));
    std::cout << line << fmt::format("  lse {:.17g}\n", a.lse.at(row.b, row.h, row.i, 0));
  });
}

array lse_array(const tensor& lse, std::size_t rank) {
  array a = to_array(lse, 4);
  a.sizes.pop_back();
  a.sizes.erase(a.sizes.begin(), a.sizes.begin() + static_cast<std::ptrdiff_t>(4 - rank));
  return a;
}

}  // namespace

int run(const reference_options& o) {
  const array_problem read_in = read(o);
  const rounded_answer a = exact_answer(read_in.posed);
  if (o.out.empty() && o.lse.empty()) print(read_in.posed, a);
  if (!o.out.empty()) write_npy_file(o.out, to_array(a.o, read_in.rank));
  if (!o.lse.empty()) write_npy_file(o.lse, lse_array(a.lse, read_in.rank));
  return 0;
}

}  // namespace attest
