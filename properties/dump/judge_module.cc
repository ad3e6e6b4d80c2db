#include "properties/dump/judge_module.h"

#include <fmt/format.h>

#include "derivation/bounds/modules.h"
#include "properties/judge.h"

namespace attest {

judgement judge_module(const module_dump& d, const contract& kept) {
  const std::vector<module_element> due = bound_of(kept, d.module);
  const std::int64_t outputs = d.module.outputs(), length = d.module.x.sizes()[2];
  judgement j;
  for (std::size_t n = 0; n < due.size(); ++n) {
    const auto row = static_cast<std::int64_t>(n) / outputs;
    judge_element(j, {due[n].exact, due[n].bound, due[n].size, kept.output}, d.o.values[n],
                  fmt::format("o[b={},t={},c={}]", row / length, row % length,
                              static_cast<std::int64_t>(n) % outputs),
                  "output");
  }
  j.rows = static_cast<std::int64_t>(due.size()) / outputs;
  return j;
}

}  // namespace attest
