// attest explain: one property in full.
#include <fmt/format.h>

#include <iostream>

#include "properties/property.h"
#include "reports/commands/command.h"

namespace attest {

int run(const explain_options& o) {
  const property& law = find_property(o.property);
  const auto line = [](std::string_view label, std::string_view text) {
    std::cout << fmt::format("{:<11}{}\n", label, text);
  };
  std::cout << fmt::format("{} ({})\n\n", law.name, law.theme);
  line("states", law.statement);
  line("method", law.method);
  line("bound", law.bound);
  line("proof", law.proof);
  line("rests on", fmt::format("claim {}", law.claim));
  line("needs", law.needs);
  line("catches", law.catches);
  line("features", to_string(law.admits));
  return 0;
}

}  // namespace attest
