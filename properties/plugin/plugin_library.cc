#include "properties/plugin/plugin_library.h"

#include <dlfcn.h>

#include <cstddef>
#include <filesystem>

#include "properties/plugin/float_environment.h"
#include "reference/input_error.h"

namespace attest {
namespace {

// What an ABI is, for a plugin of it.
template <class Plugin>
struct abi;

template <>
struct abi<attest_plugin> {
  static constexpr const char* symbol = "attest_plugin_at";
  static constexpr const char* header = "properties/attest_plugin.h";
  static constexpr const char* name = "attest_plugin";
  static constexpr std::uint32_t version = ATTEST_ABI_VERSION;
  // Version 1 ends with backward; a plugin that leaves it out is complete too.
  static constexpr std::size_t least_size = offsetof(attest_plugin, backward);
  static constexpr std::uint64_t features = known_features;
  static constexpr unsigned dtypes = input_dtypes;
};

template <>
struct abi<attest_recurrence_plugin> {
  static constexpr const char* symbol = "attest_recurrence_at";
  static constexpr const char* header = "properties/attest_recurrence.h";
  static constexpr const char* name = "attest_recurrence_plugin";
  static constexpr std::uint32_t version = ATTEST_RECURRENCE_VERSION;
  static constexpr std::size_t least_size = sizeof(attest_recurrence_plugin);
  static constexpr std::uint64_t features = known_recurrence_features;
  static constexpr unsigned dtypes = recurrence_input_dtypes;
};

template <class Plugin>
using entry_point = const Plugin* (*)(std::uint32_t);

void* open(const std::string& path) {
  if (!std::filesystem::exists(path)) reject_plugin(path, "no such file");
  // dlopen searches the system's folders for a name without a slash: give it a path.
  void* handle = dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) reject_plugin(path, std::string("can't be loaded (") + dlerror() + ")");
  return handle;
}

template <class Plugin>
entry_point<Plugin> entry_of(void* handle, const std::string& path) {
  void* symbol = dlsym(handle, abi<Plugin>::symbol);
  if (symbol == nullptr)
    reject_plugin(path, std::string("does not export ") + abi<Plugin>::symbol + " (" +
                            abi<Plugin>::header + " says what a plugin is)");
  return reinterpret_cast<entry_point<Plugin>>(symbol);
}

// The first subject, or the one of that name.
template <class Plugin>
const Plugin& find(entry_point<Plugin> entry, const std::string& path, const std::string& name) {
  constexpr std::uint32_t most = 1024;
  std::string names;
  for (std::uint32_t index = 0; index < most; ++index) {
    const Plugin* plugin = entry(index);
    if (plugin == nullptr) break;
    if (plugin->abi_version != abi<Plugin>::version)
      reject_plugin(path, "speaks ABI version " + std::to_string(plugin->abi_version) +
                              " (allowed: " + std::to_string(abi<Plugin>::version) + ")");
    if (plugin->name == nullptr)
      reject_plugin(path, "its subject " + std::to_string(index) + " has no name");
    if (name.empty() || name == plugin->name) return *plugin;
    names += (names.empty() ? "" : ", ") + std::string(plugin->name);
  }
  if (names.empty())
    reject_plugin(path, std::string("holds no subject: ") + abi<Plugin>::symbol + "(0) is NULL");
  reject_plugin(path, "has no subject '" + name + "' (allowed: " + names + ")");
}

template <class Plugin>
void require_complete(const Plugin& plugin, const std::string& path) {
  const std::string who = std::string("subject ") + plugin.name + " ";
  if (plugin.size < abi<Plugin>::least_size)
    reject_plugin(
        path, who + "says that its " + abi<Plugin>::name + " has " + std::to_string(plugin.size) +
                  " bytes (allowed: " + std::to_string(abi<Plugin>::least_size) + " or more)");
  if (plugin.forward == nullptr) reject_plugin(path, who + "has no forward entry");
  if ((plugin.features & ~abi<Plugin>::features) != 0)
    reject_plugin(path, who + "declares feature bits that this version does not know");
  if (plugin.dtypes == 0 || plugin.dtypes >> abi<Plugin>::dtypes != 0)
    reject_plugin(path, who + "declares no input dtype, or one that can't be an input");
}

}  // namespace

template <class Plugin>
void library_of<Plugin>::closer::operator()(void* handle) const {
  dlclose(handle);
}

template <class Plugin>
library_of<Plugin>::library_of(const std::string& path, const std::string& name) {
  const float_environment kept;
  handle_.reset(open(path));
  plugin_ = &find<Plugin>(entry_of<Plugin>(handle_.get(), path), path, name);
  require_complete(*plugin_, path);
}

template class library_of<attest_plugin>;
template class library_of<attest_recurrence_plugin>;

void reject_plugin(const std::string& path, const std::string& what) {
  throw input_error("plugin " + path + ": " + what);
}

}  // namespace attest
