// Arrays in NumPy's .npy files: read strictly, written plainly.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

#include "properties/exchange/array.h"

namespace attest {

// Result: the array from the stream's position to its end.
// Domain: versions 1.0, 2.0 and 3.0; element types f2 f4 f8 i4 i8 u2 of either byte order, b1 and
// u1;
//   either index order; rank at most 8, zero sizes and rank 0 included. Integers of magnitude at
//   most 2^53, booleans of 0 or 1. The stream can seek. Nothing is allocated that the stream's own
//   length does not justify.
// Error: anything else, bytes after the data included, is an input_error of one line naming `where`
//   and the byte.
// Special: infinities and signed zeros are kept; every NaN is a NaN, its payload lost.
array read_npy(std::istream& in, std::string_view where);
array read_npy_file(const std::filesystem::path& path);

// How formats that NumPy lacks (tf32, bf16, the 8-bit ones) are written: as <f4, which holds them
// exactly; or all but tf32 as their bits, integers of |u1 and <u2.
enum class numpy_lacks : std::uint8_t { as_f4, as_bits };

// Whether numpy_lacks::as_bits writes the format as its bits.
bool is_held_as_bits(const format&);

// Result: the array as numbers of the format: as it is, or from their bits where the format is held
// so; nothing where it holds something else.
std::optional<array> as_numbers(const array&, const format&);

// Result: a version 1.0 file in row-major, little-endian order, its data aligned to 64 bytes.
//   Integers are written as <i8, booleans as |b1.
// Domain: as many values as the product of the sizes, each of the element's format; rank at most 8.
std::string npy_bytes(const array& a, numpy_lacks = numpy_lacks::as_f4);
// Error: input_error if the bytes can't be written.
void write_npy_file(const std::filesystem::path& path, const array& a);

}  // namespace attest
