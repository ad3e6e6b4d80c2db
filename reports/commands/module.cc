// attest module: whether what a program stored of a module of attention is right.
#include <fmt/format.h>

#include <iostream>

#include "properties/dump/judge_module.h"
#include "properties/exchange/array_file.h"
#include "properties/exchange/contract_json.h"
#include "reference/contract/presets.h"
#include "reference/input_error.h"
#include "reports/commands/command.h"
#include "reports/exit_code.h"
#include "reports/stored_verdict.h"

namespace attest {
namespace {

std::string module_words(const attention_module& m) {
  const shape s = m.dims();
  return fmt::format("B={} T={} C={} H={} Hkv={} D={} Dv={}, {}{}", s.batch, s.queries,
                     m.x.sizes()[3], s.query_heads, s.kv_heads, s.width, s.value_width,
                     m.causal ? "causal" : "every key",
                     m.w_o ? fmt::format(", projected to {}", m.outputs()) : "");
}

}  // namespace

int run(const module_options& o) {
  if (!names_its_arrays(o.in))
    throw input_error("--in " + o.in + " (allowed: a .npz or .safetensors file)");
  const module_dump d =
      to_module_dump(read_arrays(o.in),
                     {o.heads, o.kv_heads, !o.bidirectional, o.scale, o.weights == "out_in"}, o.in);
  const contract kept =
      o.contract.empty() ? default_contract(*d.inputs) : find_or_read_contract(o.contract);
  const judgement j = judge_module(d, kept);
  write_stored_line(std::cout, "file", o.in);
  write_stored_line(std::cout, "module", module_words(d.module));
  write_stored_verdict(std::cout, j, kept, o.contract.empty(), "x");
  return exit_code_of(j);
}

}  // namespace attest
