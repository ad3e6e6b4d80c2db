// The fields of the semantics by name: what lists, reads and writes conventions.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "reference/semantics/semantics.h"

namespace attest {

struct field_value {
  std::string_view name;
  std::string_view meaning;  // a phrase
};

// Values are numbered as the enumerators of the field's type.
struct semantics_field {
  std::string_view name;
  std::string_view meaning;
  std::span<const field_value> values;
  std::size_t (*get)(const semantics&);
  void (*set)(semantics&, std::size_t value);

  std::string_view value_of(const semantics& rules) const { return values[get(rules)].name; }
};

// One entry a member of `semantics`, in their order.
std::span<const semantics_field> all_fields();

// The same without scorer and normalizer, which say what is computed, not how.
std::span<const semantics_field> fields_of_convention();

// Error: input_error for a name not on the list.
const semantics_field& find_field(std::string_view name);

// Computes: what differs: "head_map=tile,window_ends=exclusive"; nothing where they are the same.
std::string differences(const semantics& rules, const semantics& from);

// Computes: the semantics with one field set by "FIELD=VALUE".
// Error: input_error for another form, an unknown field or value.
semantics with_field(semantics, std::string_view assignment);

}  // namespace attest
