#include "tests/program/npy_bytes.h"

#include <cstring>

namespace attest {
namespace {

std::string bytes_of(const std::vector<double>& values) {
  std::string bytes(8 * values.size(), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

}  // namespace

std::string npy_file(const std::string& header, const std::string& data) {
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size() & 0xff);
  file += static_cast<char>(header.size() >> 8 & 0xff);
  return file + header + data;
}

std::string npy_of(const std::vector<std::int64_t>& sizes, const std::vector<double>& values,
                   bool fortran_order) {
  std::string shape;
  for (std::int64_t size : sizes) shape += std::to_string(size) + ", ";
  const std::string order = fortran_order ? "True" : "False";
  return npy_file("{'descr': '<f8', 'fortran_order': " + order + ", 'shape': (" + shape + "), }\n",
                  bytes_of(values));
}

std::vector<double> transposed(std::int64_t rows, std::int64_t columns,
                               const std::vector<double>& values) {
  std::vector<double> other;
  for (std::int64_t c = 0; c < columns; ++c)
    for (std::int64_t r = 0; r < rows; ++r)
      other.push_back(values[static_cast<std::size_t>(r * columns + c)]);
  return other;
}

std::vector<double> values_of(const std::string& file, std::size_t count) {
  std::vector<double> values(count);
  if (file.size() >= 8 * count)
    std::memcpy(values.data(), file.data() + file.size() - 8 * count, 8 * count);
  return values;
}

}  // namespace attest
