// attest recurrence: whether what a program stored of a linear attention is right.
#include <fmt/format.h>

#include <iostream>

#include "properties/dump/linear_dump.h"
#include "properties/exchange/array_file.h"
#include "properties/exchange/contract_json.h"
#include "properties/onnx/linear_answers.h"
#include "reference/contract/presets.h"
#include "reference/input_error.h"
#include "reports/commands/command.h"
#include "reports/stored_verdict.h"

namespace attest {
namespace {

feature_map map_named(const std::string& name) {
  if (name == "elu_plus_1") return feature_map::elu_plus_1;
  return name == "relu" ? feature_map::relu : feature_map::identity;
}

linear_reading reading_of(const recurrence_options& o) {
  return {map_named(o.features), o.normalised, o.scale,
          o.layout == "blhd" ? axis_order::blhd : axis_order::bhld};
}

std::string recurrence_words(const linear_problem& p, const recurrence_options& o) {
  std::string words = p.rate ? "delta rule" : "sum of keys and values";
  if (p.decay) words += p.decay->sizes()[3] == 1 ? ", decay a head" : ", decay a channel";
  if (p.erase) words += ", erase gate";
  if (p.state) words += ", a state before";
  if (p.normalised) words += ", normalised";
  return words + ", features " + o.features;
}

std::string problem_words(const shape& s) {
  return fmt::format("B={} Hq={} Hkv={} L={} D={} Dv={}", s.batch, s.query_heads, s.kv_heads,
                     s.queries, s.width, s.value_width);
}

}  // namespace

int run(const recurrence_options& o) {
  if (!names_its_arrays(o.in))
    throw input_error("--in " + o.in + " (allowed: a .npz or .safetensors file)");
  const linear_call call = to_linear_call(read_arrays(o.in), reading_of(o), o.in);
  const contract kept =
      o.contract.empty() ? default_contract(*call.inputs) : find_or_read_contract(o.contract);
  const judgement j = judge_linear(call, kept);
  write_stored_line(std::cout, "file", o.in);
  write_stored_line(std::cout, "problem", problem_words(call.posed.dims));
  write_stored_line(std::cout, "recurrence", recurrence_words(call.posed, o));
  write_stored_verdict(std::cout, j, kept, o.contract.empty(), "q");
  return exit_code_of(j);
}

}  // namespace attest
