// Running the same code with every instruction set that this machine has.
#pragma once

#include <hwy/targets.h>

#include <cstdint>
#include <vector>

namespace attest {

// Calls visit(name) with each instruction set chosen in turn, the best first, plain C++ last.
template <class Visit>
void for_each_instruction_set(Visit visit) {
  std::vector<std::int64_t> all = hwy::SupportedAndGeneratedTargets();
  if (all.back() != HWY_STATIC_TARGET) all.push_back(HWY_STATIC_TARGET);
  for (const std::int64_t target : all) {
    hwy::SetSupportedTargetsForTest(target);
    visit(hwy::TargetName(target));
  }
  hwy::SetSupportedTargetsForTest(0);
}

}  // namespace attest
