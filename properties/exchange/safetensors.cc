#include "properties/exchange/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "properties/exchange/byte_source.h"
#include "properties/exchange/safetensors_header.h"

namespace attest {
namespace {

constexpr std::string_view kind = ".safetensors";
constexpr std::uint64_t header_limit = std::uint64_t{1} << 20;
constexpr std::size_t length_bytes = 8;

std::string read_header_text(byte_source& source) {
  if (source.left() == 0) refuse(source.where(), "an empty file", "a .safetensors file");
  const std::uint64_t length =
      gather(source.take(length_bytes, "header length"), byte_order::little);
  if (length > header_limit)
    source.fail_at(0, fmt::format("header of {} bytes", length),
                   fmt::format("at most {}, a .safetensors file", header_limit));
  std::string text = source.take(length, "header");
  if (text.empty() || text.front() != '{')
    source.fail_at(length_bytes, "a header that begins with no '{'", "a .safetensors file");
  return text;
}

const element_type* written_type(const array& a) {
  if (a.kind == element_kind::boolean) return find_safetensors_type("BOOL");
  if (a.kind == element_kind::integer) return find_safetensors_type("I64");
  for (const element_type& type : safetensors_types)
    if (type.element != nullptr && *type.element == *a.element) return &type;
  return find_safetensors_type("F32");
}

// Every array then starts at a multiple of its element's size.
std::vector<safetensors_entry> place_arrays(const named_arrays& arrays) {
  std::vector<safetensors_entry> entries;
  for (const auto& [name, a] : arrays)
    entries.push_back({.name = name, .type = written_type(a), .sizes = a.sizes});
  std::stable_sort(entries.begin(), entries.end(),
                   [](const auto& a, const auto& b) { return a.type->bytes > b.type->bytes; });
  std::uint64_t next = 0;
  for (safetensors_entry& entry : entries) {
    entry.begin = next;
    entry.end = next += arrays.at(entry.name).values.size() * entry.type->bytes;
  }
  return entries;
}

}  // namespace

named_arrays read_safetensors(std::istream& in, std::string_view where) {
  byte_source source(in, where, kind);
  const std::string text = read_header_text(source);
  named_arrays arrays;
  for (const safetensors_entry& entry : parse_safetensors_header(text, source.left(), where)) {
    const std::uint64_t count = (entry.end - entry.begin) / entry.type->bytes;
    arrays[entry.name] = {entry.type->element, entry.sizes,
                          read_elements(source, *entry.type, count), entry.type->kind};
  }
  return arrays;
}

named_arrays read_safetensors_file(const std::filesystem::path& path) {
  std::ifstream in = open_array_file(path, kind);
  return read_safetensors(in, path.string());
}

std::string safetensors_bytes(const named_arrays& arrays) {
  const std::vector<safetensors_entry> entries = place_arrays(arrays);
  const std::string header = print_safetensors_header(entries);
  std::string bytes = scatter(header.size(), length_bytes) + header;
  for (const safetensors_entry& entry : entries)
    bytes += element_bytes(*entry.type, arrays.at(entry.name).values);
  return bytes;
}

}  // namespace attest
