// A shared object that speaks attest_plugin.h. attest-host has this too: it needs no other part of
// attest.
#pragma once

#include <memory>
#include <string>

#include "properties/attest_plugin.h"

namespace attest {

// The element types of inputs are the first of enum attest_dtype.
inline constexpr unsigned input_dtypes = 7;
// Every feature bit that this version knows.
inline constexpr std::uint64_t known_features = (ATTEST_PAGES << 1) - 1;

class plugin_library {
 public:
  // Runs what the shared object does when it is loaded. Error: input_error when there is none, or
  // none of its subjects has that name (empty: the first), or that one does not keep the ABI.
  plugin_library(const std::string& path, const std::string& name);

  const attest_plugin& plugin() const { return *plugin_; }

 private:
  struct closer {
    void operator()(void* handle) const;
  };
  std::unique_ptr<void, closer> handle_;
  const attest_plugin* plugin_ = nullptr;
};

// Throws input_error: what is wrong with the plugin at that path.
[[noreturn]] void reject_plugin(const std::string& path, const std::string& what);

}  // namespace attest
