// attest list: what can be named on the command line.
#include <fmt/format.h>

#include <iostream>

#include "derivation/claims/catalogue.h"
#include "properties/adapter.h"
#include "properties/peers/rule.h"
#include "properties/property.h"
#include "properties/recurrence/recurrence_law.h"
#include "reference/backends/backend.h"
#include "reference/contract/presets.h"
#include "reference/problems/value_regime.h"
#include "reference/semantics/fields.h"
#include "reference/semantics/profiles.h"
#include "reports/commands/command.h"

namespace attest {
namespace {

void entry(std::string_view name, std::string_view about) {
  std::cout << fmt::format("  {:<40} {}\n", name, about);
}

// What it is about, and where it differs from the default.
std::string profile_words(const profile& p) {
  const std::string fields = differences(p.rules, all_profiles().front().rules);
  return std::string(p.about) + (fields.empty() ? "" : " [" + fields + "]");
}

void heading(std::string_view text) { std::cout << text << '\n'; }

void list_builtin() {
  heading(
      "built-in subjects "
      "(builtin:NAME[/two-pass|/online[=BLOCK]|/split-kv[=PARTS]|/merge-tree[=PARTS]"
      "|/ring[=DEVICES]|/chunked-prefill[=QUERIES]])");
  for (std::string_view name : all_backends()) entry(name, find_backend(name).about);
}

// Of what is absent, why, and the line that brings it.
std::string absence(const adapter& a, const subjects_here& here) {
  return fmt::format("not available here: {}; install: {}", here.lacking, a.install);
}

void list_adapters() {
  heading("implementations of others (ADAPTER:NAME, attest list subjects)");
  for (const adapter& a : all_adapters()) {
    const subjects_here here = look_for_subjects(a);
    entry(a.name, fmt::format("{}; {}", a.about,
                              here.names.empty() ? absence(a, here)
                                                 : fmt::format("{} subjects", here.names.size())));
  }
}

void list_subjects() {
  list_builtin();
  for (const adapter& a : all_adapters()) {
    heading(fmt::format("{} ({})", a.name, a.about));
    const subjects_here here = look_for_subjects(a);
    for (const std::string& name : here.names) std::cout << "  " << a.name << ':' << name << '\n';
    if (here.names.empty()) std::cout << "  " << absence(a, here) << '\n';
  }
}

void list_field(const semantics_field& field) {
  entry(field.name, field.meaning);
  for (const field_value& value : field.values)
    entry("  " + std::string(value.name), value.meaning);
}

void list_all() {
  heading("properties (attest check --property GLOB, attest explain NAME)");
  for (const property* law : catalogue()) entry(law->name, law->statement);
  list_builtin();
  list_adapters();
  heading("contracts");
  for (const contract& c : all_contracts()) entry(c.name, c.about);
  heading("profiles (NAME, or NAME,FIELD=VALUE,...)");
  for (const profile& p : all_profiles()) entry(p.name, profile_words(p));
  heading("conventions, the fields of a profile (the default first)");
  for (const semantics_field& field : fields_of_convention()) list_field(field);
  heading("members of the family, fields of a profile too (docs/family.md)");
  for (const char* name : {"scorer", "normalizer"}) list_field(find_field(name));
  heading("features");
  for (feature f : members(feature_set::all())) entry(name_of(f), meaning_of(f));
  heading("laws of linear attention (attest recurrence --law GLOB)");
  for (const recurrence_law& law : recurrence_laws()) entry(law.name, law.statement);
  heading("features of linear attention (docs/recurrence.md)");
  for (recurrence_feature each : members(recurrence_features::all()))
    entry(name_of(each), meaning_of(each));
  heading("value regimes");
  for (const regime_text& r : all_regimes()) entry(r.name, r.meaning);
  heading("rules of other suites (attest check SUBJECT --rule NAME)");
  for (const peer_rule* rule : all_peer_rules()) entry(rule->name, rule->accepts);
  heading("claims (attest derive --claim GLOB)");
  for (const claim* c : all_claims()) entry(c->id, c->statement);
}

}  // namespace

int run(const list_options& o) {
  if (o.what == "subjects")
    list_subjects();
  else
    list_all();
  return 0;
}

}  // namespace attest
