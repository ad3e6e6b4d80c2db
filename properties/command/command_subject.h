// A command line as a subject: a program in any language, which is told of problems line by line
// and exchanges tensors with attest in files (docs/command_protocol.md).
#pragma once

#include <memory>
#include <string_view>

#include "properties/subject.h"

namespace attest {

// The address of a command is this and its command line.
inline constexpr std::string_view command_prefix = "exec:";

// Starts the command. It is started again for the next problem when it died, took too long or
// broke a rule of the protocol. Its time is what it may take to say its first line, and for each
// problem; its memory, what each of its processes may allocate.
// Error: input_error when it says no first line, or one that is not as it should be.
std::unique_ptr<subject> open_command(std::string_view command, const isolation& = {});

}  // namespace attest
