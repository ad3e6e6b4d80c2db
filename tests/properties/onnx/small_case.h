// A small test case of ONNX's Attention whose answers can be told by hand: q is 0, so that all keys
// of a row weigh alike, and a value tells where it stands.
#pragma once

#include <functional>
#include <optional>

#include "properties/exchange/onnx/test_case.h"
#include "properties/onnx/attention_call.h"

namespace attest {

struct small_case {
  std::int64_t batch = 1, query_heads = 1, kv_heads = 1, queries = 2;
  std::int64_t past = 0, fresh = 3;  // keys
  const format* type = &f32;
  bool packed = false;  // inputs of rank 3
  std::int64_t opset = 24;
  std::vector<onnx_attribute> attributes = {};
  std::optional<array> attn_mask = {}, nonpad = {};

  std::int64_t keys() const { return past + fresh; }

  // The value of key j (the past ones first) of a KV head.
  static double value(std::int64_t b, std::int64_t g, std::int64_t j) {
    return static_cast<double>(1 + 64 * b + 16 * g + j);
  }

  // The model, with Y and, as the attributes say, qk_matmul_output; and present_* where there is a
  // past.
  onnx_model model() const;
  std::vector<onnx_tensor> inputs() const;

  // Y where row (b, h, i) is what `answer` says. Axes as the operator has them.
  array output(const std::function<double(std::int64_t b, std::int64_t h, std::int64_t i)>&) const;

  // The call with stored answers. qk: no answers to be stored where absent.
  attention_call call(const array& y, const std::optional<array>& qk = {}) const;
};

using kept_key = std::function<bool(std::int64_t b, std::int64_t i, std::int64_t j)>;

// Computes: the mean of the values of the kept keys of KV head g, rounded to f32; 0 where none is
// kept.
double mean_of_kept(const small_case&, std::int64_t b, std::int64_t g, std::int64_t i,
                    const kept_key&);

inline onnx_attribute integer(const char* name, std::int64_t value) { return {name, value}; }

}  // namespace attest
