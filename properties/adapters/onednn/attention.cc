#include "properties/adapters/onednn/attention.h"

#include <cstddef>
#include <cstring>
#include <dnnl.hpp>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "properties/adapters/dense_tensor.h"
#include "properties/adapters/key_set.h"

namespace attest_adapter::onednn {
namespace {

using dnnl::memory;
using tag = memory::format_tag;

dnnl::cpu_isa isa_of(instructions most) {
  switch (most) {
    case instructions::sse41:
      return dnnl::cpu_isa::sse41;
    case instructions::avx:
      return dnnl::cpu_isa::avx;
    case instructions::avx2:
      return dnnl::cpu_isa::avx2;
    case instructions::avx512_core:
      return dnnl::cpu_isa::avx512_core;
    case instructions::avx512_core_bf16:
      return dnnl::cpu_isa::avx512_core_bf16;
    default:
      return dnnl::cpu_isa::avx512_core_amx;
  }
}

void allow(instructions most) {
  static const instructions first = most;
  static const dnnl::status answer = dnnl::set_max_cpu_isa(isa_of(first));
  if (answer != dnnl::status::success || first != most ||
      dnnl::get_effective_cpu_isa() != isa_of(most))
    throw std::runtime_error(
        "oneDNN settles its instructions once in a process, and they are others here");
}

memory::data_type type_of(const attest_tensor& t) {
  return t.dtype == ATTEST_BF16 ? memory::data_type::bf16 : memory::data_type::f32;
}

// The primitives of one call and what lies between them.
class composition {
 public:
  explicit composition(const attest_forward& call)
      : call_(call),
        batch_(call.q->sizes[0]),
        heads_(call.q->sizes[1]),
        queries_(call.q->sizes[2]),
        keys_(call.k->sizes[2]) {}

  void run() {
    const memory scores = scores_of(memory_of(dense_bits(*call_.q), *call_.q, queries_, tag::abcd));
    // The type that the second matmul takes beside v.
    const memory weights = between(type_of(*call_.v));
    softmax(scores, weights);
    write(weights);
  }

 private:
  memory::desc pairs(memory::data_type type) const {
    return {{batch_, heads_, queries_, keys_}, type, tag::abcd};
  }
  memory between(memory::data_type type) const { return {pairs(type), engine_}; }

  // Domain: dense [B, heads_, rows, width].
  memory memory_of(const std::vector<std::byte>& bits, const attest_tensor& t, std::int64_t rows,
                   tag order) const {
    const bool turned = order == tag::abdc;
    const std::int64_t width = t.sizes[3];
    const memory::dims sizes{batch_, heads_, turned ? width : rows, turned ? rows : width};
    return filled({sizes, type_of(t), order}, bits.data(), bits.size());
  }

  memory filled(const memory::desc& as, const void* data, std::size_t bytes) const {
    memory m(as, engine_);
    if (m.get_desc().get_size() != bytes)
      throw std::runtime_error("a tensor of oneDNN is of another size");
    std::memcpy(m.get_data_handle(), data, bytes);
    return m;
  }

  // k or v, each KV head once for every query head that uses it: matmul has no groups.
  memory expanded(const attest_tensor& t, tag order) const {
    const std::vector<std::byte> once = cleared_bits(call_, t);
    const auto head = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(keys_ * t.sizes[3]) *
                                                  size_of_element(t.dtype));
    std::vector<std::byte> each;
    for (std::int64_t h = 0; h < batch_ * t.sizes[1]; ++h)
      for (std::int64_t copy = 0; copy < heads_ / t.sizes[1]; ++copy)
        each.insert(each.end(), once.begin() + h * head, once.begin() + (h + 1) * head);
    return memory_of(each, t, keys_, order);
  }

  memory scores_of(const memory& q) {
    const memory k = expanded(*call_.k, tag::abdc);
    const memory scores = between(memory::data_type::f32);
    std::unordered_map<int, memory> arguments{
        {DNNL_ARG_SRC, q}, {DNNL_ARG_WEIGHTS, k}, {DNNL_ARG_DST, scores}};
    dnnl::post_ops after;
    double scale = call_.scale;
    if (call_.soft_cap > 0) {
      scale /= call_.soft_cap;
      after.append_eltwise(1, dnnl::algorithm::eltwise_tanh, 0, 0);
      after.append_eltwise(1, dnnl::algorithm::eltwise_linear, static_cast<float>(call_.soft_cap),
                           0);
    }
    if (call_.bias != nullptr || restricts_keys(call_)) {
      const std::vector<float> added = additive_mask(call_);
      const memory::desc like = pairs(memory::data_type::f32);
      arguments.emplace(DNNL_ARG_ATTR_MULTIPLE_POST_OP(after.len()) | DNNL_ARG_SRC_1,
                        filled(like, added.data(), added.size() * sizeof(float)));
      after.append_binary(dnnl::algorithm::binary_add, like);
    }
    dnnl::primitive_attr how;
    how.set_output_scales(0, {static_cast<float>(scale)});
    how.set_post_ops(after);
    multiply(arguments, how);
    return scores;
  }

  void softmax(const memory& scores, const memory& weights) {
    const dnnl::softmax_v2_forward::desc what(dnnl::prop_kind::forward_inference,
                                              dnnl::algorithm::softmax_accurate, scores.get_desc(),
                                              weights.get_desc(), 3);
    run(dnnl::softmax_v2_forward({what, engine_}),
        {{DNNL_ARG_SRC, scores}, {DNNL_ARG_DST, weights}});
  }

  void write(const memory& weights) {
    const attest_tensor& o = *call_.o;
    const memory answer({{batch_, heads_, queries_, o.sizes[3]}, type_of(o), tag::abcd}, engine_);
    multiply({{DNNL_ARG_SRC, weights},
              {DNNL_ARG_WEIGHTS, expanded(*call_.v, tag::abcd)},
              {DNNL_ARG_DST, answer}},
             {});
    write_bits(o, answer.get_data_handle());
  }

  void multiply(const std::unordered_map<int, memory>& arguments, const dnnl::primitive_attr& how) {
    const dnnl::matmul::desc what(arguments.at(DNNL_ARG_SRC).get_desc(),
                                  arguments.at(DNNL_ARG_WEIGHTS).get_desc(),
                                  arguments.at(DNNL_ARG_DST).get_desc());
    run(dnnl::matmul({what, how, engine_}), arguments);
  }

  void run(const dnnl::primitive& what, const std::unordered_map<int, memory>& arguments) {
    what.execute(stream_, arguments);
    stream_.wait();
  }

  const attest_forward& call_;
  std::int64_t batch_, heads_, queries_, keys_;
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
};

}  // namespace

void attend(instructions most, const attest_forward& call) {
  allow(most);
  composition(call).run();
}

}  // namespace attest_adapter::onednn
