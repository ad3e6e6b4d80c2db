// The elements of arrays as bytes, for every file format alike.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "properties/exchange/array.h"
#include "properties/exchange/byte_source.h"

namespace attest {

enum class byte_order : std::uint8_t { little, big };

// An element type as a file names it.
struct element_type {
  std::string_view name;
  element_kind kind;
  const format* element;  // nullptr unless floating
  std::size_t bytes;
  byte_order order = byte_order::little;
  bool is_signed = true;  // of integers
};

// Computes: the unsigned number of up to 8 bytes.
std::uint64_t gather(std::string_view bytes, byte_order);
// Computes: its low `count` bytes, little-endian.
std::string scatter(std::uint64_t bits, std::size_t count);

// Computes: the number of elements, the product of the sizes; 1 for none. A zero doesn't excuse an
// overflow among the others. what: in the message, "'shape'".
// Error: input_error where they would be 2^63 bytes or more as doubles, in which arrays are held:
// narrower ones that are read could not be written again.
std::uint64_t count_elements(const std::vector<std::int64_t>& sizes, std::string_view where,
                             std::string_view what);

// Result: the next elements of the source.
// Domain: as many bytes are left. Error: input_error for integers beyond +-2^53, which a double
// need not hold, and booleans that are neither 0 nor 1.
std::vector<double> read_elements(byte_source&, const element_type&, std::uint64_t count);

// Result: the values as bytes, little-endian. Domain: each is of the type.
std::string element_bytes(const element_type&, const std::vector<double>& values);

}  // namespace attest
