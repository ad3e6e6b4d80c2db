// Contracts as JSON, for a person to write, read and commit:
//
//   {"name": "my-kernel", "from": "fp16-flash", "score_storage": "f16", "exp_ulps": 2,
//    "output_sum": {"format": "f32", "rounding": "to_zero", "subnormals": "flushed"}}
//
// Fields are those of reference/contract/fields.h; what is not given is as in the preset `from`, by
// default that of `inputs`. A stage is a format's name, which leaves the rest of it as it is, or an
// object of format, rounding and subnormals; a conversion has times too. null stands for no format
// and, where a number is due, for -infinity.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "reference/contract/contract.h"

namespace attest {

// Error: input_error, naming the field, what it holds and what is allowed.
contract parse_contract(std::string_view json, std::string_view where);

// Result: the preset of that name, or the contract in a file whose name ends in .json.
contract find_or_read_contract(std::string_view name_or_path);

// Result: what a subject declares: the name of a preset, several between commas, one JSON object,
// or a list of objects.
std::vector<contract> parse_declared_contracts(std::string_view text, std::string_view where);

// Computes: the contract as JSON, by its differences from the preset. parse_contract reads it back.
std::string to_json_text(const contract&, const contract& preset);

}  // namespace attest
