// Arrays in NumPy's .npz files: a zip archive of .npy files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "properties/exchange/array.h"
#include "properties/exchange/npy.h"

namespace attest {

// Result: the members NAME.npy as read_npy reads them, named NAME.
// Domain: an archive as read_zip takes it, of nothing but .npy files.
// Error: input_error naming `where` and the member.
named_arrays read_npz(std::string_view bytes, std::string_view where);
named_arrays read_npz_file(const std::filesystem::path& path);

// Result: the file's bytes: what npy_bytes gives for each, stored, by name, dated 1980-01-01.
// Domain: one array or more; names in UTF-8; the arrays as npy_bytes takes them.
std::string npz_bytes(const named_arrays& arrays, numpy_lacks = numpy_lacks::as_f4);

}  // namespace attest
