// A command line as a subject: a program in any language, which is told of problems line by line
// and exchanges tensors with attest in files (docs/command_protocol.md).
#pragma once

#include <chrono>
#include <memory>
#include <string_view>

#include "properties/subject.h"

namespace attest {

// The address of a command is this and its command line.
inline constexpr std::string_view command_prefix = "exec:";

// How long a command may take to say its first line, and for each problem.
inline constexpr std::chrono::seconds usual_patience{60};

// Result: the same for a run that allows a call so long.
std::chrono::seconds patience_of(const isolation&);

// Starts the command. It is started again for the next problem when it died, took too long or
// broke a rule of the protocol.
// Error: input_error when it says no first line, or one that is not as it should be.
std::unique_ptr<subject> open_command(std::string_view command,
                                      std::chrono::seconds patience = usual_patience);

}  // namespace attest
