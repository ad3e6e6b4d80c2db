#include "properties/adapter.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "properties/attest_plugin.h"
#include "reference/input_error.h"

namespace attest {
namespace {

namespace fs = std::filesystem;

constexpr adapter adapters[] = {
    {"ggml",
     "ggml 0.25 on the CPU, as in llama.cpp: each build of it, flash attention and composed",
     "properties/adapters/fetch ggml"},
    {"onnxruntime", "ONNX Runtime 1.30 on the CPU: Attention and its relatives of com.microsoft",
     "properties/adapters/fetch onnxruntime"},
};

// Where adapters lie, relative to the program: in a build folder, and where they are installed.
constexpr const char* folders[] = {"../adapters", "../" ATTEST_ADAPTER_INSTALL_FOLDER};

// Result: the adapter's shared object, or an empty path.
fs::path find_module(const adapter& a) {
  const std::string file = std::string(a.name) + ".so";
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

[[noreturn]] void reject(const adapter& a, std::string_view address, const std::string& why) {
  throw input_error("subject '" + std::string(address) + "': " + std::string(a.name) + why);
}

}  // namespace

std::span<const adapter> all_adapters() { return adapters; }

const adapter* find_adapter(std::string_view address) {
  const std::size_t colon = address.find(':');
  if (colon == std::string_view::npos) return nullptr;
  const std::string_view name = address.substr(0, colon);
  const auto* found = std::find_if(std::begin(adapters), std::end(adapters),
                                   [&](const adapter& a) { return a.name == name; });
  return found == std::end(adapters) ? nullptr : found;
}

std::vector<std::string> subjects_of(const adapter& a) {
  std::vector<std::string> names;
  const fs::path module = find_module(a);
  if (module.empty()) return names;
  // An adapter loads its library at the first call only: to list is harmless.
  void* handle = dlopen(module.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return names;
  using entry_point = const attest_plugin* (*)(std::uint32_t);
  const auto entry = reinterpret_cast<entry_point>(dlsym(handle, "attest_plugin_at"));
  for (std::uint32_t index = 0; entry != nullptr; ++index) {
    const attest_plugin* plugin = entry(index);
    if (plugin == nullptr) break;
    names.emplace_back(plugin->name);
  }
  dlclose(handle);
  return names;
}

std::unique_ptr<subject> open_adapted(const adapter& a, std::string_view address,
                                      const isolation& how) {
  const std::vector<std::string> names = subjects_of(a);
  if (names.empty())
    reject(a, address, " is not here (to install it: " + std::string(a.install) + ")");
  const std::string_view name = address.substr(a.name.size() + 1);
  if (std::find(names.begin(), names.end(), name) == names.end())
    reject(a, address, " has no such subject here (allowed: those of attest list subjects)");
  return with_address(open_plugin(find_module(a).string() + ":" + std::string(name), how), address);
}

}  // namespace attest
