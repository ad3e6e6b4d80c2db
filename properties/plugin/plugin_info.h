// What a plugin says of itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "properties/subject.h"

namespace attest {

struct plugin_description {
  std::string name;
  std::string version;
  std::uint64_t features = 0;  // bits, as the ABI has them
  std::uint64_t dtypes = 0;
  std::optional<std::string> profile;
  std::optional<std::string> contract;
};

// Error: input_error for bits, a profile or a contract that are not known.
subject_info read_description(const plugin_description&, std::string_view address);

// "PATH.so" or "PATH.so:NAME". Error: input_error when nothing stands after the colon.
struct plugin_address {
  explicit plugin_address(std::string_view);
  std::string path;
  std::string name;  // empty: the first
};

}  // namespace attest
