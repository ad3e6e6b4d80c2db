// The named contracts.
#pragma once

#include <span>
#include <string_view>

#include "reference/contract/contract.h"

namespace attest {

std::span<const contract> all_contracts();

// Error: input_error for a name not on the list.
const contract& find_contract(std::string_view name);

// Computes: the contract on which a subject that declares none is gated, by its input format.
const contract& default_contract(const format& inputs);

}  // namespace attest
