// The JSON text at the head of a .safetensors file: each array's name, element type, sizes and
// place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "properties/exchange/elements.h"

namespace attest {

// Every type that is read; nothing else is allowed. What the format calls F8_E4M3 has no
// infinities: f8_e4m3fn.
inline constexpr element_type safetensors_types[] = {
    {"F64", element_kind::floating, &f64, 8},
    {"F32", element_kind::floating, &f32, 4},
    {"F16", element_kind::floating, &f16, 2},
    {"BF16", element_kind::floating, &bf16, 2},
    {"F8_E4M3", element_kind::floating, &f8_e4m3fn, 1},
    {"F8_E5M2", element_kind::floating, &f8_e5m2, 1},
    {"BOOL", element_kind::boolean, nullptr, 1},
    {"I64", element_kind::integer, nullptr, 8},
    {"I32", element_kind::integer, nullptr, 4},
    {"I16", element_kind::integer, nullptr, 2},
    {"I8", element_kind::integer, nullptr, 1},
    {"U64", element_kind::integer, nullptr, 8, byte_order::little, false},
    {"U32", element_kind::integer, nullptr, 4, byte_order::little, false},
    {"U16", element_kind::integer, nullptr, 2, byte_order::little, false},
    {"U8", element_kind::integer, nullptr, 1, byte_order::little, false},
};

// Result: the type of that name, or nullptr.
const element_type* find_safetensors_type(std::string_view name);

// An array as the header places it: its bytes lie in [begin, end), counted from the header's end.
struct safetensors_entry {
  std::string name;
  const element_type* type = nullptr;
  std::vector<std::int64_t> sizes{};
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  friend bool operator==(const safetensors_entry&, const safetensors_entry&) = default;
};

// Computes: the entries from the header's text, in the order of their bytes. Metadata is skipped.
// Domain: one JSON object, blanks around it allowed; names given once; sizes of at most 8 axes;
//   offsets that place exactly the bytes that type and sizes ask for, one array after the other,
//   without gap or overlap, from 0 to data_bytes.
// Error: input_error naming `where` and the array.
std::vector<safetensors_entry> parse_safetensors_header(std::string_view text,
                                                        std::uint64_t data_bytes,
                                                        std::string_view where);

// Computes: the header's text, filled up with blanks so that it ends on a multiple of 8 bytes.
// Domain: names in UTF-8.
std::string print_safetensors_header(const std::vector<safetensors_entry>&);

}  // namespace attest
