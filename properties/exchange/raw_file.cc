#include "properties/exchange/raw_file.h"

#include <fmt/format.h>

#include "properties/exchange/byte_source.h"
#include "properties/exchange/elements.h"

namespace attest {
namespace {

constexpr std::string_view kind_of_file = "raw";
constexpr std::uint64_t alignment = 8;

element_type type_of(const raw_entry& e) {
  if (e.kind == element_kind::boolean) return {"BOOL", e.kind, nullptr, 1};
  if (e.kind == element_kind::integer) return {"I64", e.kind, nullptr, 8};
  return {e.element->name, e.kind, e.element,
          static_cast<std::size_t>(e.element->storage_bits / 8)};
}

std::uint64_t count_of(const raw_entry& e, std::string_view where) {
  return count_elements(e.sizes, where, "sizes");
}

std::uint64_t end_of(const raw_entry& e, std::string_view where) {
  return e.offset + count_of(e, where) * type_of(e).bytes;
}

void require_length(const byte_source& source, std::uint64_t due) {
  if (source.left() != due)
    refuse(source.where(), fmt::format("{} bytes", source.left()), fmt::format("{} bytes", due));
}

}  // namespace

std::vector<raw_entry> place_raw(const named_arrays& arrays) {
  std::vector<raw_entry> entries;
  std::uint64_t next = 0;
  for (const auto& [name, a] : arrays) {
    entries.push_back({name, a.element, a.kind, a.sizes, next});
    next = (end_of(entries.back(), name) + alignment - 1) / alignment * alignment;
  }
  return entries;
}

std::string raw_bytes(const named_arrays& arrays, const std::vector<raw_entry>& entries) {
  std::string bytes;
  for (const raw_entry& e : entries) {
    bytes.resize(e.offset, '\0');
    bytes += element_bytes(type_of(e), arrays.at(e.name).values);
  }
  return bytes;
}

named_arrays read_raw_file(const std::filesystem::path& path,
                           const std::vector<raw_entry>& entries) {
  std::ifstream in = open_array_file(path, kind_of_file);
  const std::string where = path.string();
  byte_source source(in, where, kind_of_file);
  require_length(source, entries.empty() ? 0 : end_of(entries.back(), where));
  named_arrays arrays;
  for (const raw_entry& e : entries) {
    source.take(e.offset - source.at(), "gap");
    arrays[e.name] = {e.element, e.sizes, read_elements(source, type_of(e), count_of(e, where)),
                      e.kind};
  }
  return arrays;
}

}  // namespace attest
