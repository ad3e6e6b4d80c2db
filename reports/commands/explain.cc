// attest explain: one property in full, or a contract field by field.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "properties/exchange/contract_json.h"
#include "properties/property.h"
#include "reference/contract/fields.h"
#include "reference/contract/presets.h"
#include "reference/input_error.h"
#include "reports/commands/command.h"

namespace attest {
namespace {

void explain(const property& law) {
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
}

void explain(const contract& c) {
  std::cout << fmt::format("{}: {}\n\n", c.name, c.about);
  for (const contract_field& field : contract_fields())
    std::cout << fmt::format("{:<24} {:<28} {}\n", field.name, value_text(field, c), field.meaning);
}

void explain_fields() {
  std::cout
      << "A contract is what an implementation declares of its arithmetic; bounds follow from "
         "it\n(derivation/bounds/forward.md). In a FILE.json, with \"from\" a preset and what "
         "differs from it:\n\n";
  for (const contract_field& field : contract_fields())
    std::cout << fmt::format("{:<24} {}\n", field.name, field.meaning);
}

template <class Named>
bool holds(const Named& list, std::string_view name) {
  return std::any_of(list.begin(), list.end(), [&](const auto& each) { return each == name; });
}

std::vector<std::string> property_names() {
  std::vector<std::string> names;
  for (const property* law : catalogue()) names.emplace_back(law->name);
  return names;
}

std::vector<std::string> contract_names() {
  std::vector<std::string> names;
  for (const contract& c : all_contracts()) names.push_back(c.name);
  return names;
}

std::string joined(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

int run(const explain_options& o) {
  const std::vector<std::string> laws = property_names(), contracts = contract_names();
  if (o.name == "contract")
    explain_fields();
  else if (holds(laws, o.name))
    explain(find_property(o.name));
  else if (holds(contracts, o.name) || o.name.ends_with(".json"))
    explain(find_or_read_contract(o.name));
  else
    throw input_error(
        fmt::format("nothing is named '{}' (allowed: contract; the properties {}; "
                    "the contracts {}; FILE.json)",
                    o.name, joined(laws), joined(contracts)));
  return 0;
}

}  // namespace attest
