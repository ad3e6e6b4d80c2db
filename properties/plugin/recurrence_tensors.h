// The tensors of a call of attest_recurrence.h by name. attest-host has this too: it needs no other
// part of attest.
#pragma once

#include <cstddef>
#include <cstdint>

#include "properties/attest_recurrence.h"

namespace attest {

enum class recurrence_role : std::uint8_t {
  q,
  k,
  v,
  decay,
  rate,
  erase,
  state,
  draws,
  o,
  state_out
};
inline constexpr std::size_t recurrence_roles = 10;

constexpr std::size_t index_of(recurrence_role role) { return static_cast<std::size_t>(role); }

// Result: where the call points to that tensor.
constexpr const attest_tensor*& field_of(attest_recurrence& call, recurrence_role role) {
  constexpr const attest_tensor* attest_recurrence::*fields[recurrence_roles] = {
      &attest_recurrence::q,        &attest_recurrence::k,     &attest_recurrence::v,
      &attest_recurrence::decay,    &attest_recurrence::rate,  &attest_recurrence::erase,
      &attest_recurrence::state,    &attest_recurrence::draws, &attest_recurrence::o,
      &attest_recurrence::state_out};
  return call.*fields[index_of(role)];
}

constexpr const char* name_of(recurrence_role role) {
  constexpr const char* names[recurrence_roles] = {"q",     "k",     "v",     "decay", "rate",
                                                   "erase", "state", "draws", "o",     "state_out"};
  return names[index_of(role)];
}

}  // namespace attest
