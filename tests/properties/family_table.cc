#include "tests/properties/family_table.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "properties/domain/domain.h"
#include "properties/plugin/plugin_library.h"
#include "properties/property.h"
#include "reference/backends/backend.h"
#include "reference/certified/certified.h"
#include "reference/semantics/fields.h"
#include "reference/semantics/profiles.h"
#include "tests/properties/members_gate.h"
#include "tests/properties/scripted_subject.h"

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

// ---- Features ----

// Problems that ask the feature, of values that every order of evaluation brings near the answer.
std::vector<problem> problems_asking(feature f) {
  constexpr std::int64_t draws = 60;
  std::vector<problem> all;
  const subject_info asked = scripted_subject().info();
  for (std::int64_t n = 0; n < draws; ++n) {
    const auto spec = draw_spec(find_property("matches_definition"), asked,
                                {feature_group::kind::single, f}, {7, n});
    if (spec && spec->regime == value_regime::normal) all.push_back(materialise(*spec));
  }
  return all;
}

std::string definition_of(feature f) {
  constexpr feature in_key_set[] = {
      feature::mask,    feature::infinite_bias,       feature::causal_top_left, feature::window,
      feature::lengths, feature::causal_bottom_right, feature::segments,        feature::dilation,
      feature::chunks,  feature::block_mask,          feature::global_keys};
  constexpr feature in_bias[] = {feature::bias, feature::alibi};
  const auto is_in = [&](const auto& list) {
    return std::find(std::begin(list), std::end(list), f) != std::end(list);
  };
  if (is_in(in_key_set)) return "key_set.h";
  if (f == feature::dropout) return "dropout.h";
  return is_in(in_bias) ? "bias.h" : "attention.h";
}

std::int64_t rows_without_keys(const problem& p) {
  std::int64_t rows = 0;
  for_each_index({p.dims.batch, p.dims.query_heads, p.dims.queries, 1}, [&](const index4& i) {
    rows += key_set(p, {i[0], i[1], i[2]}).empty() && p.sink.empty() ? 1 : 0;
  });
  return rows;
}

std::string certified_by(const std::vector<problem>& asking) {
  const bool fast = std::all_of(asking.begin(), asking.end(), [](const problem& p) {
    return certify(p).multiprecision_rows <= rows_without_keys(p);
  });
  return fast ? "the engine" : "multiprecision";
}

bool is_near(const certified_answer& exact, const tensor& o) {
  std::size_t n = 0;
  bool near = true;
  for_each_index(o.sizes(), [&](const index4& i) {
    const double due = exact.output[n++].high;
    near &= std::isnan(due) ? std::isnan(o.at(i))
                            : std::fabs(o.at(i) - due) <= 1e-3 * (1 + std::fabs(due));
  });
  return near;
}

std::string emulated_by(const std::vector<problem>& asking) {
  std::string orders;
  for (std::string_view name : all_backends()) {
    if (!name.starts_with("float32/")) continue;
    const backend staged = find_backend(name);
    const bool right = std::all_of(asking.begin(), asking.end(), [&](const problem& p) {
      tensor o(f32, place(layout::bhld, p.dims.o_sizes()), 0);
      staged.evaluate(staged, p, o, nullptr);
      return is_near(certify(p), o);
    });
    if (!right) orders += (orders.empty() ? "" : ", ") + std::string(name);
  }
  return orders.empty() ? "every contract and order" : "not by " + orders;
}

std::string laws_of(feature f) {
  const auto laws = catalogue();
  const auto admits = [&](const property* law) { return law->admits.has(f); };
  return std::to_string(std::count_if(laws.begin(), laws.end(), admits)) + " of " +
         std::to_string(laws.size());
}

std::vector<feature_set> declared_by_mutants() {
  std::vector<feature_set> all;
  for (std::string_view name : split(ATTEST_PLUGINS_mutants, ','))
    all.emplace_back(
        plugin_library(ATTEST_PLUGIN_FOLDER "/mutants/" + std::string(name) + ".so", "")
            .plugin()
            .features);
  return all;
}

}  // namespace

std::string feature_table() {
  std::string table =
      "| feature | definition | certified | emulated | laws | mutants "
      "|\n|---|---|---|---|---|---|\n";
  const std::vector<feature_set> mutants = declared_by_mutants();
  for (feature f : members(feature_set::all())) {
    const std::vector<problem> asking = problems_asking(f);
    const auto declared = std::count_if(mutants.begin(), mutants.end(),
                                        [&](feature_set declares) { return declares.has(f); });
    table += "| `" + std::string(name_of(f)) + "` | " + definition_of(f) + " | " +
             certified_by(asking) + " | " + emulated_by(asking) + " | " + laws_of(f) + " | " +
             std::to_string(declared) + " declare it |\n";
  }
  return table;
}

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
