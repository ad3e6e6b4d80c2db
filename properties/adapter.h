// Implementations of others that attest knows how to call: ggml:flash/haswell/kv=f32. Each is a
// plugin (properties/adapters/NAME), found beside the program; the library that it calls may be
// absent.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "properties/subject.h"

namespace attest {

struct adapter {
  std::string_view name;  // what stands before the colon
  std::string_view about;
  std::string_view install;  // one line that brings its library
};

std::span<const adapter> all_adapters();

// Result: the adapter that an address names, as in "NAME:SUBJECT", or nullptr.
const adapter* find_adapter(std::string_view address);

// Result: the names of the subjects that can be checked on this machine; none where the adapter or
// its library is absent.
std::vector<std::string> subjects_of(const adapter&);

// Opens "NAME:SUBJECT". Error: input_error, with the way to install it where nothing is there.
std::unique_ptr<subject> open_adapted(const adapter&, std::string_view address, const isolation&);

// Result: the subject under another address, for reports and replay lines.
std::unique_ptr<subject> with_address(std::unique_ptr<subject>, std::string_view address);

}  // namespace attest
