// What every fuzzer begins with: bytes are read, or refused with the one exception for bad input.
#pragma once

#include <optional>

#include "reference/input_error.h"

namespace attest {

// Result: what read() gives, nothing where it throws input_error. Any other exception is a finding.
template <class Read>
auto unless_refused(Read read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const input_error&) {
    return std::nullopt;
  }
}

}  // namespace attest
