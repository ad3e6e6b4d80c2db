// The dictionary at the head of a .npy file: element type, index order and sizes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "properties/exchange/elements.h"

namespace attest {

// Every type that is read; nothing else is allowed.
inline constexpr element_type npy_types[] = {
    {"<f2", element_kind::floating, &f16, 2},
    {"<f4", element_kind::floating, &f32, 4},
    {"<f8", element_kind::floating, &f64, 8},
    {">f2", element_kind::floating, &f16, 2, byte_order::big},
    {">f4", element_kind::floating, &f32, 4, byte_order::big},
    {">f8", element_kind::floating, &f64, 8, byte_order::big},
    {"|b1", element_kind::boolean, nullptr, 1},
    {"|u1", element_kind::integer, nullptr, 1, byte_order::little, false},
    {"<u2", element_kind::integer, nullptr, 2, byte_order::little, false},
    {">u2", element_kind::integer, nullptr, 2, byte_order::big, false},
    {"<i4", element_kind::integer, nullptr, 4},
    {"<i8", element_kind::integer, nullptr, 8},
    {">i4", element_kind::integer, nullptr, 4, byte_order::big},
    {">i8", element_kind::integer, nullptr, 8, byte_order::big},
};

struct npy_header {
  const element_type* type = nullptr;
  bool column_major = false;
  std::vector<std::int64_t> sizes;
};

// Result: the type of that name, or nullptr.
const element_type* find_npy_type(std::string_view descr);

// Computes: the header from the text of its Python dictionary, which starts at byte first_byte of
// the file. Domain: exactly the keys descr, fortran_order and shape in any order; either quote, any
// blanks, trailing commas. Error: input_error naming `where` and the byte.
npy_header parse_npy_header(std::string_view text, std::size_t first_byte, std::string_view where);

// Computes: the dictionary as NumPy prints it.
std::string print_npy_header(const npy_header& header);

}  // namespace attest
