// Named semantics.
#pragma once

#include <span>
#include <string_view>

#include "reference/semantics/semantics.h"

namespace attest {

struct profile {
  semantics rules;
  std::string_view about;  // whose convention it is, in a sentence
};

std::span<const profile> all_profiles();

// Error: input_error for a name not on the list.
const semantics& find_profile(std::string_view name);

}  // namespace attest
