// The tensors of a call by name. attest-host has this too: it needs no other part of attest.
#pragma once

#include <cstddef>
#include <cstdint>

#include "properties/attest_plugin.h"

namespace attest {

enum class tensor_role : std::uint8_t { q, k, v, mask, bias, lengths, sink, o, lse };
inline constexpr std::size_t tensor_roles = 9;

constexpr std::size_t index_of(tensor_role role) { return static_cast<std::size_t>(role); }
constexpr bool is_output(tensor_role role) { return role >= tensor_role::o; }

// Result: where the call points to that tensor.
constexpr const attest_tensor* attest_forward::*field_of(tensor_role role) {
  constexpr const attest_tensor* attest_forward::*fields[tensor_roles] = {
      &attest_forward::q,    &attest_forward::k,    &attest_forward::v,
      &attest_forward::mask, &attest_forward::bias, &attest_forward::lengths,
      &attest_forward::sink, &attest_forward::o,    &attest_forward::lse};
  return fields[index_of(role)];
}

constexpr const char* name_of(tensor_role role) {
  constexpr const char* names[tensor_roles] = {"q",       "k",    "v", "mask", "bias",
                                               "lengths", "sink", "o", "lse"};
  return names[index_of(role)];
}

}  // namespace attest
