// The functions of ggml that are used here, taken out of its shared objects by name: the package
// brings no header. Types are opaque but for those that are handed over by value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace attest_adapter::ggml {

struct context;
struct tensor;
struct graph;

// ggml_init's parameter.
struct init_params {
  std::size_t mem_size;
  void* mem_buffer;
  bool no_alloc;
};

enum type : int { type_f32 = 0, type_f16 = 1, type_bf16 = 30 };

// Asks an operator for F32 where its default may be less.
enum precision : int { precision_f32 = 10 };

enum status : int { status_success = 0 };

struct library {
  context* (*init)(init_params);
  void (*free)(context*);
  std::size_t (*tensor_overhead)();
  std::size_t (*graph_overhead)();
  tensor* (*new_tensor_4d)(context*, type, std::int64_t, std::int64_t, std::int64_t, std::int64_t);
  void* (*get_data)(const tensor*);
  std::size_t (*nbytes)(const tensor*);
  graph* (*new_graph)(context*);
  void (*build_forward_expand)(graph*, tensor*);

  tensor* (*mul_mat)(context*, tensor* a, tensor* b);
  void (*mul_mat_set_prec)(tensor*, precision);
  tensor* (*scale)(context*, tensor*, float);
  tensor* (*tanh)(context*, tensor*);
  tensor* (*soft_max_ext)(context*, tensor*, tensor* mask, float scale, float max_bias);
  void (*soft_max_add_sinks)(tensor*, tensor* sinks);
  tensor* (*flash_attn_ext)(context*, tensor* q, tensor* k, tensor* v, tensor* mask, float scale,
                            float max_bias, float logit_softcap);
  void (*flash_attn_ext_set_prec)(tensor*, precision);
  void (*flash_attn_ext_add_sinks)(tensor*, tensor* sinks);

  int (*graph_compute_with_ctx)(context*, graph*, int threads);  // of the variant
};

// Loads libggml-base.so and libggml-cpu-VARIANT.so. Error: std::runtime_error with the reason.
library load(const std::string& folder, const std::string& variant);

}  // namespace attest_adapter::ggml
