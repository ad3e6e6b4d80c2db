#include "properties/adapters/ggml/library.h"

#include <dlfcn.h>

#include <stdexcept>

namespace attest_adapter::ggml {
namespace {

void* open(const std::string& path, int visibility) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | visibility);
  if (handle == nullptr) throw std::runtime_error(dlerror());
  return handle;
}

template <class Function>
void find(void* handle, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(handle, name));
  if (function == nullptr) throw std::runtime_error(dlerror());
}

}  // namespace

library load(const std::string& folder, const std::string& variant) {
  // The variants need it, and find it by its name because it is open already.
  void* base = open(folder + "libggml-base.so", RTLD_GLOBAL);
  void* cpu = open(folder + "libggml-cpu-" + variant + ".so", RTLD_LOCAL);
  library lib{};
  find(base, "ggml_init", lib.init);
  find(base, "ggml_free", lib.free);
  find(base, "ggml_tensor_overhead", lib.tensor_overhead);
  find(base, "ggml_graph_overhead", lib.graph_overhead);
  find(base, "ggml_new_tensor_4d", lib.new_tensor_4d);
  find(base, "ggml_get_data", lib.get_data);
  find(base, "ggml_nbytes", lib.nbytes);
  find(base, "ggml_new_graph", lib.new_graph);
  find(base, "ggml_build_forward_expand", lib.build_forward_expand);
  find(base, "ggml_mul_mat", lib.mul_mat);
  find(base, "ggml_mul_mat_set_prec", lib.mul_mat_set_prec);
  find(base, "ggml_scale", lib.scale);
  find(base, "ggml_tanh", lib.tanh);
  find(base, "ggml_soft_max_ext", lib.soft_max_ext);
  find(base, "ggml_soft_max_add_sinks", lib.soft_max_add_sinks);
  find(base, "ggml_flash_attn_ext", lib.flash_attn_ext);
  find(base, "ggml_flash_attn_ext_set_prec", lib.flash_attn_ext_set_prec);
  find(base, "ggml_flash_attn_ext_add_sinks", lib.flash_attn_ext_add_sinks);
  find(cpu, "ggml_graph_compute_with_ctx", lib.graph_compute_with_ctx);
  void (*cpu_init)() = nullptr;
  find(cpu, "ggml_cpu_init", cpu_init);
  cpu_init();
  return lib;
}

}  // namespace attest_adapter::ggml
