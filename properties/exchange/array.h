// An array as files hold it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reference/formats/format.h"

namespace attest {

enum class element_kind : std::uint8_t { floating, boolean, integer };

// Values in row-major order whatever the file's order, each exact in a double.
struct array {
  const format* element = &f64;  // of floating values; nullptr for booleans and integers
  std::vector<std::int64_t> sizes;
  std::vector<double> values;
  element_kind kind = element_kind::floating;
};

using named_arrays = std::map<std::string, array>;

// No file's array has more axes.
inline constexpr std::size_t array_rank_limit = 8;

// Computes: the sizes between commas, "2, 3".
std::string sizes_text(const std::vector<std::int64_t>& sizes);

}  // namespace attest
