#include "properties/exchange/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <istream>
#include <ostream>
#include <string>
#include <utility>

#include "properties/exchange/byte_source.h"
#include "properties/exchange/npy_header.h"
#include "reference/formats/encoding.h"

namespace attest {
namespace {

constexpr std::string_view kind = ".npy";
constexpr std::string_view magic = "\x93NUMPY";
constexpr std::uint64_t header_limit = std::uint64_t{1} << 20;
constexpr std::uint64_t data_alignment = 64;

std::string hex(std::string_view bytes) {
  std::string digits;
  for (const char c : bytes)
    digits += fmt::format("{}{:02x}", digits.empty() ? "" : " ", static_cast<unsigned char>(c));
  return digits;
}

void require_magic(byte_source& source) {
  if (source.left() == 0) refuse(source.where(), "an empty file", "a .npy file");
  const std::string found = source.take(magic.size(), "magic string");
  if (found != magic) source.fail_at(0, "magic string " + hex(found), hex(magic) + ", a .npy file");
}

// Version 1.0 has a length of two bytes, the later ones of four; 3.0 differs in allowing UTF-8 in
// structured types.
std::size_t read_length_bytes(byte_source& source) {
  const std::string version = source.take(2, "version");
  const int major = static_cast<unsigned char>(version[0]);
  const int minor = static_cast<unsigned char>(version[1]);
  if (major < 1 || major > 3 || minor != 0)
    source.fail_at(magic.size(), fmt::format("version {}.{}", major, minor), "1.0, 2.0 and 3.0");
  return major == 1 ? 2 : 4;
}

npy_header read_header(byte_source& source) {
  require_magic(source);
  const std::size_t length_bytes = read_length_bytes(source);
  const std::uint64_t length =
      gather(source.take(length_bytes, "header length"), byte_order::little);
  if (length > header_limit)
    source.fail_at(source.at() - length_bytes, fmt::format("header of {} bytes", length),
                   fmt::format("at most {}", header_limit));
  const std::uint64_t first_byte = source.at();
  return parse_npy_header(source.take(length, "header"), first_byte, source.where());
}

void require_data(const byte_source& source, std::uint64_t expected) {
  const std::uint64_t found = source.left();
  if (found == expected) return;
  source.fail_at(source.at(),
                 found < expected
                     ? fmt::format("data truncated, {} bytes found", found)
                     : fmt::format("{} bytes after the data, {} found", found - expected, found),
                 fmt::format("{} bytes, as 'descr' and 'shape' say", expected));
}

// Computes: where the k-th element of column-major order (first index fastest) lies in row-major
// order.
std::size_t row_major_index(std::size_t k, const std::vector<std::int64_t>& sizes) {
  std::size_t index = 0;
  for (const std::int64_t signed_size : sizes) {
    const auto size = static_cast<std::size_t>(signed_size);
    index = index * size + k % size;
    k /= size;
  }
  return index;
}

std::vector<double> to_row_major(const std::vector<double>& column_major,
                                 const std::vector<std::int64_t>& sizes) {
  std::vector<double> row_major(column_major.size());
  for (std::size_t k = 0; k < column_major.size(); ++k)
    row_major[row_major_index(k, sizes)] = column_major[k];
  return row_major;
}

// The formats that NumPy lacks, under the names of types that hold their bits.
constexpr element_type types_of_bits[] = {
    {"<u2", element_kind::floating, &bf16, 2},
    {"|u1", element_kind::floating, &f8_e4m3fn, 1},
    {"|u1", element_kind::floating, &f8_e4m3, 1},
    {"|u1", element_kind::floating, &f8_e5m2, 1},
};

const element_type* type_of_bits(const format& element) {
  for (const element_type& type : types_of_bits)
    if (*type.element == element) return &type;
  return nullptr;
}

// Computes: the type an array is written as: f32 holds the numbers of every format NumPy lacks.
const element_type* written_type(const array& a, numpy_lacks lacking) {
  if (a.kind == element_kind::boolean) return find_npy_type("|b1");
  if (a.kind == element_kind::integer) return find_npy_type("<i8");
  const element_type* bits = type_of_bits(*a.element);
  if (lacking == numpy_lacks::as_bits && bits != nullptr) return bits;
  if (*a.element == f64) return find_npy_type("<f8");
  return find_npy_type(*a.element == f16 ? "<f2" : "<f4");
}

// Result: everything before the data, blanks and a line end filling it up to the alignment.
std::string print_preamble(const npy_header& header) {
  std::string dictionary = print_npy_header(header);
  const std::uint64_t before = magic.size() + 2 + 2;
  const std::uint64_t used = before + dictionary.size() + 1;
  dictionary.append((data_alignment - used % data_alignment) % data_alignment, ' ');
  dictionary += '\n';
  return std::string(magic) + '\1' + '\0' + scatter(dictionary.size(), 2) + dictionary;
}

// Domain: a format that is held as bits.
bool are_bits(const std::vector<double>& values, const format& element) {
  const double end = std::ldexp(1.0, element.storage_bits);
  return std::all_of(values.begin(), values.end(), [&](double x) { return x >= 0 && x < end; });
}

}  // namespace

bool is_held_as_bits(const format& element) { return type_of_bits(element) != nullptr; }

std::optional<array> as_numbers(const array& a, const format& element) {
  if (a.kind == element_kind::floating)
    return *a.element == element ? std::optional(a) : std::nullopt;
  const bool holds_bits = a.kind == element_kind::integer && is_held_as_bits(element);
  if (!holds_bits || !are_bits(a.values, element)) return std::nullopt;
  array numbers{&element, a.sizes, a.values, element_kind::floating};
  for (double& x : numbers.values) x = decode(element, static_cast<std::uint64_t>(x));
  return numbers;
}

array read_npy(std::istream& in, std::string_view where) {
  byte_source source(in, where, kind);
  const npy_header header = read_header(source);
  const std::uint64_t count = count_elements(header.sizes, where, "'shape'");
  require_data(source, count * header.type->bytes);
  std::vector<double> values = read_elements(source, *header.type, count);
  if (header.column_major) values = to_row_major(values, header.sizes);
  return {header.type->element, header.sizes, std::move(values), header.type->kind};
}

array read_npy_file(const std::filesystem::path& path) {
  std::ifstream in = open_array_file(path, kind);
  return read_npy(in, path.string());
}

std::string npy_bytes(const array& a, numpy_lacks lacking) {
  const npy_header header{written_type(a, lacking), false, a.sizes};
  return print_preamble(header) + element_bytes(*header.type, a.values);
}

void write_npy_file(const std::filesystem::path& path, const array& a) {
  write_bytes(path, npy_bytes(a));
}

}  // namespace attest
