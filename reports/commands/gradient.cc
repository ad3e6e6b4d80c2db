// attest gradient: whether the gradients that a program stored of a backward pass are right.
#include <fmt/format.h>

#include <iostream>

#include "properties/dump/judge_gradients.h"
#include "properties/exchange/array_file.h"
#include "reference/input_error.h"
#include "reports/commands/command.h"
#include "reports/commands/posing.h"
#include "reports/stored_verdict.h"

namespace attest {
namespace {

gradient_dump read_dump(const gradient_options& o) {
  gradient_dump d = to_gradient_dump(find_arrays(o.posed.files, arrays_beside::gradients),
                                     axis_order_of(o.layout));
  read_under(o.posed, d.posed);
  return d;
}

std::string problem_words(const shape& s) {
  return fmt::format("B={} Hq={} Hkv={} Lq={} Lk={} D={} Dv={}", s.batch, s.query_heads, s.kv_heads,
                     s.queries, s.keys, s.width, s.value_width);
}

std::string gradient_words(const gradient_dump& d) {
  std::string words;
  for (const auto& [name, t] : d.gradients) words += (words.empty() ? "" : ", ") + name;
  words += " of do" + std::string(d.given.lse ? " and dlse" : "");
  if (!d.o && !d.lse) return words + ", o and lse as the contract's forward makes them";
  return words + ", " + (d.o ? d.lse ? "o and lse" : "o" : "lse") + " as stored";
}

}  // namespace

int run(const gradient_options& o) {
  require_posing(o.posed);
  const gradient_dump d = read_dump(o);
  const contract kept = contract_of(d.posed, *d.inputs, o.contract);
  const judgement j = judge_gradients(d, kept);
  write_stored_line(std::cout, "file", o.posed.files.in.front());
  write_stored_line(std::cout, "problem", problem_words(d.posed.dims));
  write_stored_line(std::cout, "gradients", gradient_words(d));
  write_stored_verdict(std::cout, j, kept, o.contract.empty(), "q");
  return exit_code_of(j);
}

}  // namespace attest
