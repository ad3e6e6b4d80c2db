#include "properties/plugin/plugin_library.h"

#include <dlfcn.h>

#include <cstddef>
#include <filesystem>

#include "properties/plugin/float_environment.h"
#include "reference/input_error.h"

namespace attest {
namespace {

using entry_point = const attest_plugin* (*)(std::uint32_t);


void* open(const std::string& path) {
  if (!std::filesystem::exists(path)) reject_plugin(path, "no such file");
  // dlopen searches the system's folders for a name without a slash: give it a path.
  void* handle = dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) reject_plugin(path, std::string("can't be loaded (") + dlerror() + ")");
  return handle;
}

entry_point entry_of(void* handle, const std::string& path) {
  void* symbol = dlsym(handle, "attest_plugin_at");
  if (symbol == nullptr)
    reject_plugin(
        path,
        "does not export attest_plugin_at (properties/attest_plugin.h says what a plugin is)");
  return reinterpret_cast<entry_point>(symbol);
}

// The first subject, or the one of that name.
const attest_plugin& find(entry_point entry, const std::string& path, const std::string& name) {
  constexpr std::uint32_t most = 1024;
  std::string names;
  for (std::uint32_t index = 0; index < most; ++index) {
    const attest_plugin* plugin = entry(index);
    if (plugin == nullptr) break;
    if (plugin->abi_version != ATTEST_ABI_VERSION)
      reject_plugin(path, "speaks ABI version " + std::to_string(plugin->abi_version) +
                              " (allowed: " + std::to_string(ATTEST_ABI_VERSION) + ")");
    if (plugin->name == nullptr)
      reject_plugin(path, "its subject " + std::to_string(index) + " has no name");
    if (name.empty() || name == plugin->name) return *plugin;
    names += (names.empty() ? "" : ", ") + std::string(plugin->name);
  }
  if (names.empty()) reject_plugin(path, "holds no subject: attest_plugin_at(0) is NULL");
  reject_plugin(path, "has no subject '" + name + "' (allowed: " + names + ")");
}

void require_complete(const attest_plugin& plugin, const std::string& path) {
  const std::string who = std::string("subject ") + plugin.name + " ";
  // Version 1 ends with backward; a plugin that leaves it out is complete too.
  if (plugin.size < offsetof(attest_plugin, backward))
    reject_plugin(path, who + "says that its attest_plugin has " + std::to_string(plugin.size) +
                            " bytes (allowed: " +
                            std::to_string(offsetof(attest_plugin, backward)) + " or more)");
  if (plugin.forward == nullptr) reject_plugin(path, who + "has no forward entry");
  if ((plugin.features & ~known_features) != 0)
    reject_plugin(path, who + "declares feature bits that this version does not know");
  if (plugin.dtypes == 0 || plugin.dtypes >> input_dtypes != 0)
    reject_plugin(path, who + "declares no input dtype, or one that can't be an input");
}

}  // namespace

void plugin_library::closer::operator()(void* handle) const { dlclose(handle); }

plugin_library::plugin_library(const std::string& path, const std::string& name) {
  const float_environment kept;
  handle_.reset(open(path));
  plugin_ = &find(entry_of(handle_.get(), path), path, name);
  require_complete(*plugin_, path);
}

void reject_plugin(const std::string& path, const std::string& what) {
  throw input_error("plugin " + path + ": " + what);
}

}  // namespace attest
