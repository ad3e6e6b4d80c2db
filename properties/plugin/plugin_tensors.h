// The tensors of a call by name. attest-host has this too: it needs no other part of attest.
#pragma once

#include <cstddef>
#include <cstdint>

#include "properties/attest_plugin.h"

namespace attest {

enum class tensor_role : std::uint8_t {
  q,
  k,
  v,
  mask,
  bias,
  lengths,
  sink,
  query_segments,
  key_segments,
  block_mask,
  slopes,
  parameter_0,
  parameter_1,
  parameter_2,
  parameter_3,
  page_table,
  dropout_mask,
  o,
  lse,
};
inline constexpr std::size_t tensor_roles = 19;

constexpr std::size_t index_of(tensor_role role) { return static_cast<std::size_t>(role); }
constexpr bool is_output(tensor_role role) {
  return role == tensor_role::o || role == tensor_role::lse;
}

// Result: where the call points to that tensor.
constexpr const attest_tensor*& field_of(attest_forward& call, tensor_role role) {
  constexpr const attest_tensor* attest_forward::*before[] = {&attest_forward::q,
                                                              &attest_forward::k,
                                                              &attest_forward::v,
                                                              &attest_forward::mask,
                                                              &attest_forward::bias,
                                                              &attest_forward::lengths,
                                                              &attest_forward::sink,
                                                              &attest_forward::query_segments,
                                                              &attest_forward::key_segments,
                                                              &attest_forward::block_mask,
                                                              &attest_forward::slopes};
  if (role < tensor_role::parameter_0) return call.*before[index_of(role)];
  if (is_output(role)) return role == tensor_role::o ? call.o : call.lse;
  if (role == tensor_role::page_table) return call.reserved[ATTEST_PAGE_TABLE];
  if (role == tensor_role::dropout_mask) return call.reserved[ATTEST_DROPOUT_MASK];
  return call.parameters[index_of(role) - index_of(tensor_role::parameter_0)];
}

constexpr const char* name_of(tensor_role role) {
  constexpr const char* names[tensor_roles] = {"q",
                                               "k",
                                               "v",
                                               "mask",
                                               "bias",
                                               "lengths",
                                               "sink",
                                               "query_segments",
                                               "key_segments",
                                               "block_mask",
                                               "slopes",
                                               "parameter_0",
                                               "parameter_1",
                                               "parameter_2",
                                               "parameter_3",
                                               "page_table",
                                               "dropout_mask",
                                               "o",
                                               "lse"};
  return names[index_of(role)];
}

}  // namespace attest
