#include "properties/peers/rules/rules.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "reference/input_error.h"

namespace attest {
namespace {

constexpr const peer_rule* all[] = {
    &assert_close,
    &onnx,
    &flash_attention_2,
    &flash_attention_3,
    &torch_sdpa,
    &xformers,
    &flashinfer,
    &kernelbench,
    &ggml,
    &cutlass_41,
    &cutlass_77,
    &cudnn_frontend,
    &triton_tutorial,
    &gpuemu_recommended,
    &gpuemu_corpus,
    &gpuemu_calibrated,
    &cosine,
};

std::string names() {
  std::string list;
  for (const peer_rule* rule : all) list += (list.empty() ? "" : ", ") + std::string(rule->name);
  return list;
}

}  // namespace

std::span<const peer_rule* const> all_peer_rules() { return all; }

const peer_rule& find_peer_rule(std::string_view name) {
  for (const peer_rule* rule : all)
    if (rule->name == name) return *rule;
  throw input_error("unknown rule '" + std::string(name) + "' (allowed: " + names() + ")");
}

bool accepts(const peer_rule& rule, const peer_evidence& e) {
  return e.observed.empty() || rule.accept(e);
}

tolerance tolerance_table::of(const format& stored) const {
  if (stored.precision >= attest::f64.precision) return f64;
  if (stored.precision >= attest::f32.precision) return f32;
  return stored.precision >= attest::f16.precision ? f16 : bf16;
}

bool within(const peer_evidence& e, const tolerance& t) {
  return all_close(e.observed, e.expected, t);
}

bool is_finite(numbers x) {
  return std::all_of(x.begin(), x.end(), [](double each) { return std::isfinite(each); });
}

bool has_8_bit_inputs(const peer_evidence& e) { return e.inputs->storage_bits == 8; }

}  // namespace attest
