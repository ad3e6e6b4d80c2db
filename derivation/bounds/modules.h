// How far from the exact answer an implementation of a module of attention that keeps its contract
// can be. Statement, assumptions and proof: derivation/bounds/modules.md.
#pragma once

#include <vector>

#include "reference/contract/contract.h"
#include "reference/exact/enclosure.h"
#include "reference/modules/attention_module.h"

namespace attest {

// One output of the module.
struct module_element {
  enclosure exact;
  double bound = 0;  // the largest |y~ - y|; infinite outside of the domain
  double size = 0;   // the sum of the sizes of what it is a sum of
};

// Computes: the outputs at one position after the other, [B, T, outputs()]. Domain: finite numbers.
// Cost: T^2 for each head, in intervals.
std::vector<module_element> bound_of(const contract&, const attention_module&);

}  // namespace attest
