// Arrays in .safetensors files: read strictly, written plainly. The way in and out for bf16 and the
// 8-bit formats, which NumPy lacks.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>

#include "properties/exchange/array.h"

namespace attest {

// Result: the arrays from the stream's position to its end; its metadata is skipped.
// Domain: a header of at most 2^20 bytes as parse_safetensors_header reads it; the types of
//   safetensors_types. Integers of magnitude at most 2^53, booleans of 0 or 1. The stream can seek.
//   Nothing is allocated that the stream's own length does not justify.
// Error: anything else is an input_error of one line naming `where` and the byte or the array.
// Special: infinities and signed zeros are kept; every NaN is a NaN, its payload lost.
named_arrays read_safetensors(std::istream& in, std::string_view where);
named_arrays read_safetensors_file(const std::filesystem::path& path);

// Result: the file's bytes: the widest elements first, then by name. Integers are written as I64,
//   formats that it lacks (tf32, f8_e4m3 with infinities) as F32, which holds them exactly.
// Domain: as many values as the product of the sizes, each of the element's format; rank at most 8.
std::string safetensors_bytes(const named_arrays& arrays);

}  // namespace attest
