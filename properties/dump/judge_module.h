// Judging a stored module of attention.
#pragma once

#include "properties/dump/module_dump.h"
#include "properties/verdict.h"
#include "reference/contract/contract.h"

namespace attest {

// Judges every output within the bound of the contract.
// Special: undecided is a bound above vacuous_share of the sum of the sizes of an output's terms.
judgement judge_module(const module_dump&, const contract&);

}  // namespace attest
