// The calls that attest-host makes, by their tensors: those of attest_plugin.h and those of
// attest_recurrence.h. attest-host has this too: it needs no other part of attest.
#pragma once

#include <string_view>
#include <type_traits>

#include "properties/plugin/plugin_tensors.h"
#include "properties/plugin/recurrence_tensors.h"

namespace attest {

// A number names a tensor by its place among the roles of its ABI; outputs are the last.
struct call_form {
  std::string_view word;  // what attest-host is told, to make such calls
  std::uint32_t tensors = 0;
  std::uint32_t first_output = 0;
  const char* (*name)(std::uint32_t) = nullptr;

  bool is_output(std::uint32_t tensor) const { return tensor >= first_output; }
};

inline constexpr call_form forward_form{
    "attention", tensor_roles, static_cast<std::uint32_t>(index_of(tensor_role::o)),
    [](std::uint32_t n) { return name_of(static_cast<tensor_role>(n)); }};

inline constexpr call_form recurrence_form{
    "recurrence", recurrence_roles, static_cast<std::uint32_t>(index_of(recurrence_role::o)),
    [](std::uint32_t n) { return name_of(static_cast<recurrence_role>(n)); }};

template <class Call>
constexpr const call_form& form_of() {
  return std::is_same_v<Call, attest_forward> ? forward_form : recurrence_form;
}

inline const attest_tensor*& field_of(attest_forward& call, std::uint32_t n) {
  return field_of(call, static_cast<tensor_role>(n));
}
inline const attest_tensor*& field_of(attest_recurrence& call, std::uint32_t n) {
  return field_of(call, static_cast<recurrence_role>(n));
}

}  // namespace attest
