// Named semantics.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "reference/semantics/semantics.h"

namespace attest {

struct profile {
  std::string_view name;
  semantics rules;
  std::string_view about;  // whose convention it is, in a sentence
};

// The first is the default.
std::span<const profile> all_profiles();

// Computes: the semantics of "NAME" or "NAME,FIELD=VALUE,...": a profile, and fields in which it is
// left (fields.h). Error: input_error for a name, field or value not on the lists.
semantics find_profile(std::string_view text);

// Computes: the text of these semantics that find_profile reads back: the name of the first profile
// that is the same, or the default's with what differs.
std::string profile_text(const semantics&);

}  // namespace attest
