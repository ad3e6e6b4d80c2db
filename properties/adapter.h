// Implementations of others that attest knows how to call: ggml:flash/haswell/kv=f32. Each is a
// plugin (properties/adapters/NAME) or a script in Python (properties/adapters/python), found
// beside the program; what it calls may be absent.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "properties/subject.h"

namespace attest {

// A script that speaks the protocol of commands, for the subject that is its argument.
struct python_script {
  std::string_view file;
  std::string_view module;  // that it imports
  std::span<const std::string_view> subjects;
};

struct adapter {
  std::string_view name;  // what stands before the colon
  std::string_view about;
  std::string_view install;               // one line that brings what it calls
  const python_script* script = nullptr;  // nullptr: a plugin
};

std::span<const adapter> all_adapters();

// Result: the adapter that an address names, as in "NAME:SUBJECT", or nullptr.
const adapter* find_adapter(std::string_view address);

// What of an adapter can be checked on this machine.
struct subjects_here {
  std::vector<std::string> names;
  std::string lacking;      // why there are none, where there are none
  std::string interpreter;  // of a script: what runs it
};
subjects_here look_for_subjects(const adapter&);

// Result: the shared object NAME.so where adapters lie, or an empty path.
std::filesystem::path adapter_file(std::string_view name);

// Opens "NAME:SUBJECT". Error: input_error, with the way to install it where nothing is there.
std::unique_ptr<subject> open_adapted(const adapter&, std::string_view address, const isolation&);

// Result: the subject under another address, for reports and replay lines.
std::unique_ptr<subject> with_address(std::unique_ptr<subject>, std::string_view address);

}  // namespace attest
