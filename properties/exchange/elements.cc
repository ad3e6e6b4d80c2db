#include "properties/exchange/elements.h"

#include <fmt/format.h>

#include <algorithm>

#include "reference/formats/encoding.h"

namespace attest {
namespace {

constexpr std::uint64_t chunk_bytes = std::uint64_t{1} << 16;  // a multiple of every element's size
constexpr std::int64_t integer_limit = std::int64_t{1} << 53;  // a double holds every one up to it

std::int64_t sign_extend(std::uint64_t bits, std::size_t bytes) {
  const auto unused = 64 - 8 * bytes;
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

[[noreturn]] void fail_integer(const byte_source& source, const element_type& type,
                               std::string_view integer, std::uint64_t byte) {
  source.fail_at(byte, fmt::format("{} of value {}", type.name, integer),
                 type.kind == element_kind::boolean ? "0 and 1" : "integers from -2^53 to 2^53");
}

double read_unsigned(const byte_source& source, const element_type& type, std::uint64_t bits,
                     std::uint64_t byte) {
  const std::int64_t limit = type.kind == element_kind::boolean ? 1 : integer_limit;
  if (bits > static_cast<std::uint64_t>(limit))
    fail_integer(source, type, std::to_string(bits), byte);
  return static_cast<double>(bits);
}

double read_signed(const byte_source& source, const element_type& type, std::uint64_t bits,
                   std::uint64_t byte) {
  const std::int64_t integer = sign_extend(bits, type.bytes);
  if (integer > integer_limit || integer < -integer_limit)
    fail_integer(source, type, std::to_string(integer), byte);
  return static_cast<double>(integer);
}

double read_value(const byte_source& source, const element_type& type, std::string_view bytes,
                  std::uint64_t byte) {
  const std::uint64_t bits = gather(bytes, type.order);
  if (type.kind == element_kind::floating) return decode(*type.element, bits);
  const bool is_signed = type.kind == element_kind::integer && type.is_signed;
  return is_signed ? read_signed(source, type, bits, byte)
                   : read_unsigned(source, type, bits, byte);
}

std::uint64_t to_bits(const element_type& type, double value) {
  if (type.kind == element_kind::floating) return encode(*type.element, value);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
}

}  // namespace

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

std::uint64_t count_elements(const std::vector<std::int64_t>& sizes, std::string_view where,
                             std::string_view what) {
  std::int64_t bytes = sizeof(double);
  bool empty = false;
  for (const std::int64_t size : sizes) {
    empty = empty || size == 0;
    if (__builtin_mul_overflow(bytes, std::max<std::int64_t>(size, 1), &bytes))
      refuse(where, fmt::format("{} ({}) overflows", what, sizes_text(sizes)),
             "at most 2^63 - 1 bytes of data");
  }
  return empty ? 0 : static_cast<std::uint64_t>(bytes) / sizeof(double);
}

std::vector<double> read_elements(byte_source& source, const element_type& type,
                                  std::uint64_t count) {
  std::vector<double> values;
  values.reserve(count);
  for (std::uint64_t left = count * type.bytes; left > 0;) {
    const std::uint64_t start = source.at();
    const std::string chunk = source.take(std::min(left, chunk_bytes), "data");
    left -= chunk.size();
    for (std::size_t i = 0; i < chunk.size(); i += type.bytes)
      values.push_back(
          read_value(source, type, std::string_view(chunk).substr(i, type.bytes), start + i));
  }
  return values;
}

std::string element_bytes(const element_type& type, const std::vector<double>& values) {
  std::string bytes;
  bytes.reserve(values.size() * type.bytes);
  for (const double value : values) bytes += scatter(to_bits(type, value), type.bytes);
  return bytes;
}

}  // namespace attest
