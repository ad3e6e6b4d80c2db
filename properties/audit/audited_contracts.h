// The contracts that the judge is tried on: the named ones, and one for every way to be right that
// a simpler bound has refused.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "reference/contract/contract.h"

namespace attest {

std::span<const contract> audited_contracts();

// Computes: those whose name matches a glob (* and ?); all of them for "all". Error: input_error
// when none does.
std::vector<const contract*> matching_audited_contracts(std::string_view glob);

}  // namespace attest
