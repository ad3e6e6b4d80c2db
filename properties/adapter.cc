#include "properties/adapter.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "properties/attest_plugin.h"
#include "properties/command/command_subject.h"
#include "properties/command/python_interpreter.h"
#include "reference/input_error.h"

namespace attest {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view numpy_subjects[] = {"float16", "float32", "longdouble"};
constexpr std::string_view pytorch_subjects[] = {"sdpa", "mha_eval", "mha_train"};
constexpr python_script numpy_script{"numpy_attention.py", "numpy", numpy_subjects};
constexpr python_script torch_script{"torch_attention.py", "torch", pytorch_subjects};

constexpr adapter adapters[] = {
    {"ggml",
     "ggml 0.25 on the CPU, as in llama.cpp: each build of it, flash attention and composed",
     "properties/adapters/fetch ggml"},
    {"libtorch", "PyTorch's C++ library on the CPU: SDPA, nn::MultiheadAttention",
     "sudo apt-get install --no-install-recommends libtorch-dev, then build attest again"},
    {"numpy", "attention composed in NumPy, every array in one type",
     "sudo apt-get install --no-install-recommends python3-numpy", &numpy_script},
    {"onednn", "oneDNN on the CPU: matmul, softmax, matmul with each set of instructions",
     "sudo apt-get install --no-install-recommends libdnnl-dev, then build attest again"},
    {"onnxruntime", "ONNX Runtime 1.30 on the CPU: Attention and its relatives of com.microsoft",
     "properties/adapters/fetch onnxruntime"},
    {"pytorch", "PyTorch from Python on the CPU: SDPA, nn.MultiheadAttention",
     "sudo apt-get install --no-install-recommends python3-torch python3-numpy", &torch_script},
};

// Where adapters lie, relative to the program: in a build folder, and where they are installed.
constexpr const char* folders[] = {"../adapters", "../" ATTEST_ADAPTER_INSTALL_FOLDER};

// Result: the path of an adapter's file, or an empty one.
fs::path find_file(const fs::path& file) {
  if (const char* given = std::getenv("ATTEST_ADAPTER_FOLDER"); given != nullptr)
    return fs::exists(fs::path(given) / file) ? fs::path(given) / file : fs::path();
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed).parent_path();
  for (const char* folder : folders) {
    const fs::path path = (program / folder / file).lexically_normal();
    if (fs::exists(path)) return path;
  }
  return {};
}

fs::path find_module(const adapter& a) { return adapter_file(a.name); }
fs::path find_script(const python_script& s) { return find_file(fs::path("python") / s.file); }

subjects_here look_into_module(const fs::path& module) {
  if (module.empty()) return {{}, "the adapter was not built", {}};
  // An adapter calls its library when it is called: to list is harmless.
  void* handle = dlopen(module.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return {{}, dlerror(), {}};
  subjects_here found{{}, "there is no library", {}};
  using entry_point = const attest_plugin* (*)(std::uint32_t);
  const auto entry = reinterpret_cast<entry_point>(dlsym(handle, "attest_plugin_at"));
  for (std::uint32_t index = 0; entry != nullptr; ++index) {
    const attest_plugin* plugin = entry(index);
    if (plugin == nullptr) break;
    found.names.emplace_back(plugin->name);
  }
  dlclose(handle);
  return found;
}

subjects_here look_for_script(const python_script& s) {
  if (find_script(s).empty()) return {{}, "its script is not beside attest", {}};
  const std::optional<std::string> interpreter = find_interpreter(s.module);
  if (!interpreter) return {{}, lack_of_interpreter(s.module), {}};
  return {{s.subjects.begin(), s.subjects.end()}, {}, *interpreter};
}

std::unique_ptr<subject> open_found(const adapter& a, const subjects_here& here,
                                    std::string_view name, const isolation& how) {
  if (a.script == nullptr)
    return open_plugin(find_module(a).string() + ":" + std::string(name), how);
  return open_command(script_command(here.interpreter, find_script(*a.script).string(), name), how);
}

[[noreturn]] void reject(std::string_view address, const std::string& why) {
  throw input_error("subject '" + std::string(address) + "': " + why);
}

}  // namespace

fs::path adapter_file(std::string_view name) { return find_file(std::string(name) + ".so"); }

std::span<const adapter> all_adapters() { return adapters; }

const adapter* find_adapter(std::string_view address) {
  const std::size_t colon = address.find(':');
  if (colon == std::string_view::npos) return nullptr;
  const std::string_view name = address.substr(0, colon);
  const auto* found = std::find_if(std::begin(adapters), std::end(adapters),
                                   [&](const adapter& a) { return a.name == name; });
  return found == std::end(adapters) ? nullptr : found;
}

subjects_here look_for_subjects(const adapter& a) {
  subjects_here found =
      a.script != nullptr ? look_for_script(*a.script) : look_into_module(find_module(a));
  if (!found.names.empty()) found.lacking.clear();
  return found;
}

std::unique_ptr<subject> open_adapted(const adapter& a, std::string_view address,
                                      const isolation& how) {
  const subjects_here here = look_for_subjects(a);
  if (here.names.empty())
    reject(address, std::string(a.name) + " is not available here: " + here.lacking +
                        " (to install it: " + std::string(a.install) + ")");
  const std::string_view name = address.substr(a.name.size() + 1);
  if (std::find(here.names.begin(), here.names.end(), name) == here.names.end())
    reject(address, std::string(a.name) +
                        " has no such subject here (allowed: those of attest list subjects)");
  return with_address(open_found(a, here, name, how), address);
}

}  // namespace attest
