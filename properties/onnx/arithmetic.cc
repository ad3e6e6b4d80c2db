#include "properties/onnx/arithmetic.h"

#include "reference/contract/presets.h"

namespace attest {
namespace {

// What fp16-accumulate says, of bf16. GPUs flush its subnormals by default.
contract all_bf16() {
  const stage rounded{&bf16, rounding_mode::nearest_even, subnormal_mode::flushed};
  contract c = find_contract("fp16-accumulate");
  c.name = "bf16-accumulate";
  c.about = "every stage in bf16";
  c.inputs = c.output = &bf16;
  c.q_conversion.to = c.k_conversion.to = rounded;
  for (stage contract::*each :
       {&contract::score_sum, &contract::score_storage, &contract::bias_sum, &contract::exponent,
        &contract::weight_storage, &contract::output_sum, &contract::weight_sum,
        &contract::partial_storage})
    c.*each = rounded;
  c.output_subnormals = subnormal_mode::flushed;
  return c;
}

// The softmax in a type of its own: the scores are cast to it, and the weights from it.
contract with_softmax_in(contract c, const format& precision) {
  const stage computed{&precision, rounding_mode::nearest_even, c.exponent.subnormals};
  const bool narrower = precision.precision < c.exponent.number->precision;
  c.exponent = c.weight_sum = computed;
  if (!narrower) return c;
  c.score_storage = c.bias_sum = c.weight_storage = computed;
  return c;
}

}  // namespace

contract in_every_stage(const format& f) {
  if (f == bf16) return all_bf16();
  if (f == f16) return find_contract("fp16-accumulate");
  return find_contract(f == f64 ? "float64" : "float32");
}

std::vector<contract> contracts_for(const attention_call& c) {
  return contracts_for(*c.q.element, c.given.softmax_precision);
}

std::vector<contract> contracts_for(const format& type, const format* given) {
  std::vector<contract> contracts;
  if (type == f16) contracts = {find_contract("fp16-flash"), find_contract("fp16-eager")};
  if (type == bf16) contracts = {find_contract("bf16-flash"), find_contract("bf16-eager")};
  contract loosest = in_every_stage(type);
  if (given != nullptr && !(*given == type)) {
    loosest = with_softmax_in(loosest, *given);
    loosest.name += ", softmax in " + std::string(given->name);
  }
  contracts.push_back(std::move(loosest));
  return contracts;
}

}  // namespace attest
