// The elements of arrays one after the other, and nothing else: what any language reads and writes
// in a few lines. Their types, sizes and offsets are told elsewhere.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "properties/exchange/array.h"

namespace attest {

struct raw_entry {
  std::string name;
  const format* element = &f64;  // nullptr for booleans (one byte) and integers (I64)
  element_kind kind = element_kind::floating;
  std::vector<std::int64_t> sizes;
  std::uint64_t offset = 0;  // in bytes from the start of the file
};

// Computes: where the arrays lie in a file: each from the next multiple of 8 bytes on.
std::vector<raw_entry> place_raw(const named_arrays&);

// Result: the file's bytes, little-endian; 0 in the gaps.
std::string raw_bytes(const named_arrays&, const std::vector<raw_entry>&);

// Result: the arrays of a file that ends where the last of them does.
// Domain: entries of increasing offset that do not overlap. Error: input_error for a file of
// another length.
named_arrays read_raw_file(const std::filesystem::path&, const std::vector<raw_entry>&);

}  // namespace attest
