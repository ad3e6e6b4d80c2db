// A shared object that speaks attest_plugin.h or attest_recurrence.h. attest-host has this too: it
// needs no other part of attest.
#pragma once

#include <memory>
#include <string>

#include "properties/attest_plugin.h"
#include "properties/attest_recurrence.h"

namespace attest {

// The element types of inputs are the first of enum attest_dtype.
inline constexpr unsigned input_dtypes = 7;
// Every feature bit that this version knows.
inline constexpr std::uint64_t known_features = (ATTEST_DROPOUT << 1) - 1;

// The same of attest_recurrence.h, whose inputs are wider than 8 bits.
inline constexpr unsigned recurrence_input_dtypes = 4;
inline constexpr std::uint64_t known_recurrence_features =
    (ATTEST_RECURRENCE_EXP_FEATURES << 1) - 1;

// Plugin: attest_plugin or attest_recurrence_plugin.
template <class Plugin>
class library_of {
 public:
  // Runs what the shared object does when it is loaded. Error: input_error when there is none, or
  // none of its subjects has that name (empty: the first), or that one does not keep the ABI.
  library_of(const std::string& path, const std::string& name);

  const Plugin& plugin() const { return *plugin_; }

 private:
  struct closer {
    void operator()(void* handle) const;
  };
  std::unique_ptr<void, closer> handle_;
  const Plugin* plugin_ = nullptr;
};

using plugin_library = library_of<attest_plugin>;

// Throws input_error: what is wrong with the plugin at that path.
[[noreturn]] void reject_plugin(const std::string& path, const std::string& what);

}  // namespace attest
