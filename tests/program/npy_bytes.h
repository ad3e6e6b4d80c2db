// Small .npy files, right and wrong, as text and numbers of the test's own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace attest {

// Computes: a version 1.0 file of that header and data, byte for byte.
std::string npy_file(const std::string& header, const std::string& data);

// Computes: a file of little-endian f8.
std::string npy_of(const std::vector<std::int64_t>& sizes, const std::vector<double>& values,
                   bool fortran_order = false);

// Computes: the values of one rank-2 array in the other order of indices.
std::vector<double> transposed(std::int64_t rows, std::int64_t columns,
                               const std::vector<double>& values);

// Result: the f8 values at the end of a file that this program wrote.
std::vector<double> values_of(const std::string& file, std::size_t count);

}  // namespace attest
