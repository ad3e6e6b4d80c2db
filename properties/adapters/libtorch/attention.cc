#include "properties/adapters/libtorch/attention.h"

#include <ATen/ATen.h>
#include <torch/nn/modules/activation.h>

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "properties/adapters/dense_tensor.h"
#include "properties/adapters/key_set.h"

namespace attest_adapter::libtorch {
namespace {

at::ScalarType type_of(const attest_tensor& t) {
  return t.dtype == ATTEST_F64 ? at::kDouble : t.dtype == ATTEST_BF16 ? at::kBFloat16 : at::kFloat;
}

// A tensor with memory of its own.
at::Tensor tensor_of(const void* data, at::IntArrayRef sizes, at::ScalarType type) {
  return at::from_blob(const_cast<void*>(data), sizes, type).clone();
}

at::Tensor tensor_of(const std::vector<std::byte>& bits, const attest_tensor& like) {
  return tensor_of(bits.data(), at::IntArrayRef(like.sizes, 4), type_of(like));
}

at::Tensor query(const attest_forward& call) { return tensor_of(dense_bits(*call.q), *call.q); }

// k or v, with 0 where no key is: what lies there is read, and masked afterwards.
at::Tensor cleared(const attest_forward& call, const attest_tensor& t) {
  return tensor_of(cleared_bits(call, t), t);
}

at::Tensor kept(const attest_forward& call) {
  const std::vector<std::uint8_t> keys = kept_keys(call);
  return tensor_of(keys.data(),
                   {call.q->sizes[0], call.q->sizes[1], call.q->sizes[2], call.k->sizes[2]},
                   at::kBool);
}

// The bias with -infinity where a key is not kept.
at::Tensor added(const attest_forward& call) {
  const at::Tensor bias = tensor_of(dense_bits(*call.bias), *call.bias);
  return bias.masked_fill(kept(call).logical_not(), -std::numeric_limits<double>::infinity());
}

bool is_causal_alone(const attest_forward& call) {
  attest_forward rest = call;
  rest.causal = ATTEST_CAUSAL_NONE;
  return call.causal == ATTEST_CAUSAL_ANCHOR_TOP_LEFT && call.bias == nullptr &&
         !restricts_keys(rest);
}

// A causal triangle alone is left to is_causal; every other rule is in the mask.
at::Tensor scaled_dot_product(const attest_forward& call) {
  const bool alone = is_causal_alone(call);
  c10::optional<at::Tensor> mask;
  if (call.bias != nullptr)
    mask = added(call);
  else if (!alone && restricts_keys(call))
    mask = kept(call);
  return std::get<0>(at::_scaled_dot_product_attention(
      query(call), cleared(call, *call.k), cleared(call, *call.v), mask, 0.0, false, alone));
}

// [B, heads, L, D] as [L, B, heads * D].
at::Tensor by_position(const at::Tensor& t) {
  return t.permute({2, 0, 1, 3}).reshape({t.size(2), t.size(0), t.size(1) * t.size(3)});
}

torch::nn::MultiheadAttention module_without_projections(std::int64_t width, std::int64_t heads,
                                                         at::ScalarType type) {
  torch::nn::MultiheadAttention module(width, heads);
  const at::Tensor one = at::eye(width);
  module->in_proj_weight.copy_(at::cat({one, one, one}));
  module->in_proj_bias.zero_();
  module->out_proj->weight.copy_(one);
  module->out_proj->bias.zero_();
  module->to(type);
  module->eval();
  return module;
}

// True where no key is, [B, Lk].
at::Tensor padding(const attest_forward& call) {
  const std::int64_t batch = call.q->sizes[0], keys = call.k->sizes[2];
  at::Tensor beyond = at::zeros({batch, keys}, at::kBool);
  for (std::int64_t b = 0; b < batch; ++b) beyond[b].slice(0, valid_keys(call, b)).fill_(true);
  return beyond;
}

// The causal triangle and the window, [Lq, Lk]; not defined where there is none.
at::Tensor position_mask(attest_forward call, path way) {
  call.lengths = nullptr;
  if (!restricts_keys(call)) return {};
  const at::Tensor masked = kept(call)[0][0].logical_not();
  if (way == path::multi_head_boolean_mask) return masked;
  return at::zeros(masked.sizes(), type_of(*call.q))
      .masked_fill(masked, -std::numeric_limits<double>::infinity());
}

at::Tensor multi_head(const attest_forward& call, path way) {
  const std::int64_t batch = call.q->sizes[0], heads = call.q->sizes[1], queries = call.q->sizes[2],
                     width = call.q->sizes[3];
  torch::nn::MultiheadAttention module =
      module_without_projections(heads * width, heads, type_of(*call.q));
  const auto [o, weights] = module->forward(
      by_position(query(call)), by_position(cleared(call, *call.k)),
      by_position(cleared(call, *call.v)), call.lengths == nullptr ? at::Tensor() : padding(call),
      false, position_mask(call, way));
  return o.reshape({queries, batch, heads, width}).permute({1, 2, 0, 3});
}

}  // namespace
}  // namespace attest_adapter::libtorch

const char* attest_libtorch_attend(attest_adapter::libtorch::path way, const attest_forward* call) {
  using namespace attest_adapter;
  static std::string failure;
  try {
    const c10::InferenceMode no_gradients;
    const at::Tensor o = way == libtorch::path::scaled_dot_product
                             ? libtorch::scaled_dot_product(*call)
                             : libtorch::multi_head(*call, way);
    write_bits(*call->o, o.contiguous().data_ptr());
    return nullptr;
  } catch (const std::exception& problem) {
    failure = problem.what();
    return failure.c_str();
  }
}
