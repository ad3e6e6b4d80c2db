// Every field of a contract by name: how it is written, read, shown and compared.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reference/contract/contract.h"

namespace attest {

using contract_member =
    std::variant<stage contract::*, conversion contract::*, const format * contract::*,
                 double contract::*, int contract::*, bool contract::*, rounding_mode contract::*,
                 subnormal_mode contract::*, overflow_mode contract::*, exponent_shift contract::*>;

struct contract_field {
  std::string_view name;     // as in contract.h and in contract files
  std::string_view meaning;  // a noun phrase: "the format that holds scores"
  contract_member member;
};

// All but name and about, in the order of contract.h.
std::span<const contract_field> contract_fields();

// Computes: the field's value as text: "f16", "f32, to_zero, flushed", "true", "4".
std::string value_text(const contract_field&, const contract&);

// Computes: whether both contracts give the field the same value.
bool same_value(const contract_field&, const contract&, const contract&);

// Computes: the fields in which two contracts differ.
std::vector<const contract_field*> differences(const contract&, const contract&);

std::string_view name_of(rounding_mode);
std::string_view name_of(subnormal_mode);
std::string_view name_of(overflow_mode);
std::string_view name_of(exponent_shift);

}  // namespace attest
