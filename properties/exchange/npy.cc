#include "properties/exchange/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <istream>
#include <ostream>
#include <string>
#include <system_error>
#include <utility>

#include "properties/exchange/npy_header.h"
#include "reference/formats/encoding.h"
#include "reference/input_error.h"

namespace attest {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::uint64_t header_limit = std::uint64_t{1} << 20;
constexpr std::uint64_t data_alignment = 64;
constexpr std::uint64_t chunk_bytes = std::uint64_t{1} << 16;  // a multiple of every element's size
constexpr std::int64_t integer_limit = std::int64_t{1} << 53;  // a double holds every one up to it

[[noreturn]] void fail(std::string_view where, std::string_view given, std::string_view allowed) {
  throw input_error(fmt::format("{}: {}; allowed: {}", where, given, allowed));
}

// The rest of a stream, its length known before anything is read.
class byte_source {
 public:
  byte_source(std::istream& in, std::string_view where);

  std::uint64_t at() const { return at_; }
  std::uint64_t left() const { return size_ - at_; }
  std::string_view where() const { return where_; }
  std::string take(std::uint64_t count, std::string_view what);
  [[noreturn]] void fail_at(std::uint64_t byte, std::string_view given,
                            std::string_view allowed) const;

 private:
  std::istream& in_;
  std::string_view where_;
  std::uint64_t size_ = 0;
  std::uint64_t at_ = 0;
};

byte_source::byte_source(std::istream& in, std::string_view where) : in_(in), where_(where) {
  const auto start = in.tellg();
  const auto end = in.seekg(0, std::ios::end).tellg();
  if (start < 0 || end < start || !in.seekg(start))
    fail(where, "a stream that can't seek", "a regular .npy file");
  size_ = static_cast<std::uint64_t>(end - start);
}

std::string byte_source::take(std::uint64_t count, std::string_view what) {
  if (left() < count)
    fail_at(at_, fmt::format("{} truncated, {} bytes found", what, left()),
            fmt::format("{} bytes", count));
  std::string bytes(count, '\0');
  if (!in_.read(bytes.data(), static_cast<std::streamsize>(count)))
    fail_at(at_, fmt::format("{} can't be read", what), "a readable .npy file");
  at_ += count;
  return bytes;
}

void byte_source::fail_at(std::uint64_t byte, std::string_view given,
                          std::string_view allowed) const {
  fail(where_, fmt::format("byte {}: {}", byte, given), allowed);
}

std::uint64_t gather(std::string_view bytes, byte_order order) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bits = bits << 8 |
           static_cast<unsigned char>(bytes[order == byte_order::big ? i : bytes.size() - 1 - i]);
  return bits;
}

std::string scatter(std::uint64_t bits, std::size_t count) {
  std::string bytes;
  for (std::size_t i = 0; i < count; ++i) bytes += static_cast<char>(bits >> 8 * i & 0xff);
  return bytes;
}

std::string hex(std::string_view bytes) {
  std::string digits;
  for (const char c : bytes)
    digits += fmt::format("{}{:02x}", digits.empty() ? "" : " ", static_cast<unsigned char>(c));
  return digits;
}

void require_magic(byte_source& source) {
  if (source.left() == 0) fail(source.where(), "an empty file", "a .npy file");
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

// Computes: the product of the sizes. A zero doesn't excuse an overflow among the others.
std::uint64_t count_elements(const npy_header& header, const byte_source& source) {
  std::int64_t bytes = static_cast<std::int64_t>(header.type->bytes);
  bool empty = false;
  for (const std::int64_t size : header.sizes) {
    empty = empty || size == 0;
    if (__builtin_mul_overflow(bytes, std::max<std::int64_t>(size, 1), &bytes))
      fail(source.where(), fmt::format("'shape' ({}) overflows", print_npy_sizes(header.sizes)),
           "at most 2^63 - 1 bytes of data");
  }
  return empty ? 0 : static_cast<std::uint64_t>(bytes) / header.type->bytes;
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

std::int64_t sign_extend(std::uint64_t bits, std::size_t bytes) {
  const auto unused = 64 - 8 * bytes;
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

// Computes: the integer a pattern stands for. The one-byte one is unsigned.
std::int64_t to_integer(const npy_type& type, std::uint64_t bits) {
  return type.bytes == 1 ? static_cast<std::int64_t>(bits) : sign_extend(bits, type.bytes);
}

double read_value(const byte_source& source, const npy_type& type, std::string_view bytes,
                  std::uint64_t first_byte) {
  const std::uint64_t bits = gather(bytes, type.order);
  if (type.kind == element_kind::floating) return decode(*type.element, bits);
  const std::int64_t integer = to_integer(type, bits);
  const std::int64_t limit = type.kind == element_kind::boolean ? 1 : integer_limit;
  if (integer > limit || integer < -limit)
    source.fail_at(first_byte, fmt::format("{} of value {}", type.descr, integer),
                   limit == 1 ? "0 and 1" : "integers from -2^53 to 2^53");
  return static_cast<double>(integer);
}

std::vector<double> read_values(byte_source& source, const npy_type& type, std::uint64_t count) {
  std::vector<double> values;
  values.reserve(count);
  while (source.left() > 0) {
    const std::uint64_t start = source.at();
    const std::string chunk = source.take(std::min(source.left(), chunk_bytes), "data");
    for (std::size_t i = 0; i < chunk.size(); i += type.bytes)
      values.push_back(
          read_value(source, type, std::string_view(chunk).substr(i, type.bytes), start + i));
  }
  return values;
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

// A directory opens without complaint, and a pipe would wait for its writer.
void require_regular_file(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::is_regular_file(status)) return;
  const std::string given = std::filesystem::is_directory(status) ? "a directory"
                            : std::filesystem::exists(status)     ? "not a regular file"
                                                                  : error.message();
  fail(path.string(), given, "a readable .npy file");
}

// Computes: the type an array is written as: f32 holds the numbers of every format NumPy lacks.
const npy_type* written_type(const array& a) {
  if (a.kind == element_kind::boolean) return find_npy_type("|b1");
  if (a.kind == element_kind::integer) return find_npy_type("<i8");
  if (*a.element == f64) return find_npy_type("<f8");
  return find_npy_type(*a.element == f16 ? "<f2" : "<f4");
}

std::uint64_t to_bits(const npy_type& type, double value) {
  if (type.kind == element_kind::floating) return encode(*type.element, value);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
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

}  // namespace

array read_npy(std::istream& in, std::string_view where) {
  byte_source source(in, where);
  const npy_header header = read_header(source);
  const std::uint64_t count = count_elements(header, source);
  require_data(source, count * header.type->bytes);
  std::vector<double> values = read_values(source, *header.type, count);
  if (header.column_major) values = to_row_major(values, header.sizes);
  return {header.type->element, header.sizes, std::move(values), header.type->kind};
}

array read_npy_file(const std::filesystem::path& path) {
  require_regular_file(path);
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(path.string(), "a file that can't be opened", "a readable .npy file");
  return read_npy(in, path.string());
}

void write_npy(std::ostream& out, const array& a, std::string_view where) {
  const npy_header header{written_type(a), false, a.sizes};
  out << print_preamble(header);
  for (const double value : a.values)
    out << scatter(to_bits(*header.type, value), header.type->bytes);
  if (!out.flush()) fail(where, "the bytes can't be written", "a writable path with room for them");
}

void write_npy_file(const std::filesystem::path& path, const array& a) {
  std::ofstream out(path, std::ios::binary);
  if (!out) fail(path.string(), "a file that can't be opened", "a writable path");
  write_npy(out, a, path.string());
}

}  // namespace attest
