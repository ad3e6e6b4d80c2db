#include <fmt/format.h>

#include "reports/html/sections.h"
#include "reports/words/wording.h"

namespace attest {

std::string_view tone_of(verdict v) {
  if (is_failure(v)) return "fails";
  return v == verdict::holds ? "holds" : "open";
}

markup verdict_badge(verdict v) {
  return element(
      "span", attribute("class", fmt::format("verdict {}", tone_of(v))),
      element("span class=symbol aria-hidden=true", text(symbol_of(v))) + text(name_of(v)));
}

markup breaking_name(std::string_view name) {
  markup result;
  for (std::size_t end; (end = name.find('_')) != std::string_view::npos;) {
    result += text(name.substr(0, end + 1)) + markup{"<wbr>"};
    name.remove_prefix(end + 1);
  }
  return result + text(name);
}

markup counterexample_id(std::string_view property) {
  return attribute("id", fmt::format("counterexample-{}", property));
}

markup counterexample_link(std::string_view property, const markup& content) {
  return element("a", attribute("href", fmt::format("#counterexample-{}", property)), content);
}

}  // namespace attest
