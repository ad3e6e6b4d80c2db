#include "tests/properties/family_table.h"

#include <algorithm>
#include <vector>

#include "properties/property.h"
#include "reference/backends/backend.h"
#include "reference/semantics/fields.h"
#include "reference/semantics/profiles.h"
#include "tests/properties/members_gate.h"

namespace attest {
namespace {

struct member {
  std::string field, value;

  semantics rules() const { return with_field({}, field + "=" + value); }
  bool is_default() const { return rules() == semantics{}; }
};

std::vector<member> members_of_the_table() {
  std::vector<member> all;
  for (const char* field : {"scorer", "normalizer"})
    for (const field_value& value : find_field(field).values)
      all.push_back({field, std::string(value.name)});
  return all;
}

// Of the field that is not named, the default.
std::string certified_by(const semantics& rules) {
  return rules.is_softmax() && rules.scores_by_products() ? "the engine" : "intervals";
}

// Of the backends that go through the stages of a contract.
std::string emulated_by(const semantics& rules) {
  const auto names = all_backends();
  const bool every = std::all_of(names.begin(), names.end(), [&](std::string_view name) {
    return find_backend(name).computes(rules);
  });
  return every ? "every contract" : "none: the stages are those of a softmax of products";
}

std::string laws_of(const semantics& rules) {
  std::size_t held = 0;
  for (const property* law : catalogue()) held += holds_for(*law, rules) ? 1 : 0;
  return std::to_string(held) + " of " + std::to_string(catalogue().size());
}

// Those that declare it, perhaps beside another value of the other field.
std::string mutants_of(const member& m) {
  std::string names;
  for (const std::string& name : member_plugins()) {
    const auto s = open_subject(ATTEST_PLUGIN_FOLDER "/member_mutants/" + name + ".so");
    if (find_field(m.field).value_of(find_profile(s->info().profile)) == m.value)
      names += (names.empty() ? "" : ", ") + name;
  }
  return names;
}

}  // namespace

std::string family_table() {
  std::string table =
      "| member | definition | certified | emulated | laws | mutants "
      "|\n|---|---|---|---|---|---|\n";
  for (const member& m : members_of_the_table()) {
    const semantics rules = m.rules();
    const std::string mutants = m.is_default() ? "those of tests/mutants" : mutants_of(m);
    table += "| " + m.field + " `" + m.value + "` | " + m.field + ".h | " + certified_by(rules) +
             " | " + emulated_by(rules) + " | " + laws_of(rules) + " | " + mutants + " |\n";
  }
  return table;
}

}  // namespace attest
