// Arrays in files, whatever the file's format: its ending says which.
#pragma once

#include <filesystem>
#include <string>

#include "properties/exchange/array.h"

namespace attest {

// Whether the ending is that of a file of named arrays (.npz, .safetensors), or of one (.npy).
// Error: input_error for any other ending.
bool names_its_arrays(const std::filesystem::path& path);

// Result: the arrays of a .npz or .safetensors file by name; that of a .npy file, named like the
// file without its ending. Error: input_error for another ending, and as the readers of the
// formats.
named_arrays read_arrays(const std::filesystem::path& path);

// Result: the only array of a file. Error: input_error also for a file of none or several.
array read_array(const std::filesystem::path& path);

// Error: input_error for another ending, for a .npy file that is not to hold exactly one array, and
// if the bytes can't be written.
void write_arrays(const std::filesystem::path& path, const named_arrays& arrays);

}  // namespace attest
