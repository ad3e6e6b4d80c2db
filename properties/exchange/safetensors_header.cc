#include "properties/exchange/safetensors_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "properties/exchange/strict_json.h"

namespace attest {
namespace {

using nlohmann::json;

constexpr std::string_view metadata = "__metadata__";
constexpr std::string_view keys[] = {"dtype", "shape", "data_offsets"};
constexpr int depth_limit = 2;  // the header, an entry, its list
constexpr std::uint64_t header_start = 8;

std::string entry_where(std::string_view where, std::string_view name) {
  return fmt::format("{}: '{}'", where, shown(name));
}

std::string type_names() {
  std::string names;
  for (const element_type& type : safetensors_types)
    names += fmt::format("{}{}", names.empty() ? "" : " ", type.name);
  return names;
}

const element_type* read_type(const json& given, std::string_view where) {
  const element_type* type =
      given.is_string() ? find_safetensors_type(given.get<std::string>()) : nullptr;
  if (type == nullptr)
    refuse(where, fmt::format("'dtype' is {}", shown(given.dump())), type_names());
  return type;
}

std::uint64_t read_number(const json& given, std::string_view key, std::string_view where) {
  constexpr std::uint64_t most = (std::uint64_t{1} << 63) - 1;
  if (!given.is_number_unsigned() || given.get<std::uint64_t>() > most)
    refuse(where, fmt::format("'{}' holds {}", key, shown(given.dump())),
           "integers from 0 to 2^63 - 1");
  return given.get<std::uint64_t>();
}

std::vector<std::int64_t> read_sizes(const json& given, std::string_view where) {
  if (!given.is_array() || given.size() > array_rank_limit)
    refuse(where, fmt::format("'shape' is {}", shown(given.dump())),
           fmt::format("a list of 0 to {} sizes", array_rank_limit));
  std::vector<std::int64_t> sizes;
  for (const json& size : given)
    sizes.push_back(static_cast<std::int64_t>(read_number(size, "shape", where)));
  return sizes;
}

void require_keys(const json& given, std::string_view where) {
  if (!given.is_object()) refuse(where, shown(given.dump()), "an object");
  for (const std::string_view key : keys)
    if (!given.contains(key))
      refuse(where, fmt::format("no '{}'", key), "dtype, shape and data_offsets");
  for (const auto& item : given.items())
    if (std::find(std::begin(keys), std::end(keys), item.key()) == std::end(keys))
      refuse(where, fmt::format("'{}'", shown(item.key())), "dtype, shape and data_offsets");
}

void read_offsets(const json& given, safetensors_entry& entry, std::string_view where) {
  if (!given.is_array() || given.size() != 2)
    refuse(where, fmt::format("'data_offsets' is {}", shown(given.dump())),
           "a list of two offsets");
  entry.begin = read_number(given[0], "data_offsets", where);
  entry.end = read_number(given[1], "data_offsets", where);
  const std::uint64_t due = count_elements(entry.sizes, where, "'shape'") * entry.type->bytes;
  if (entry.end < entry.begin || entry.end - entry.begin != due)
    refuse(where, fmt::format("'data_offsets' is [{}, {}]", entry.begin, entry.end),
           fmt::format("a span of {} bytes, as 'dtype' and 'shape' say", due));
}

safetensors_entry read_entry(const std::string& name, const json& given, std::string_view where) {
  const std::string entry_place = entry_where(where, name);
  require_keys(given, entry_place);
  safetensors_entry entry{.name = name};
  entry.type = read_type(given["dtype"], entry_place);
  entry.sizes = read_sizes(given["shape"], entry_place);
  read_offsets(given["data_offsets"], entry, entry_place);
  return entry;
}

void require_metadata(const json& given, std::string_view where) {
  const bool texts = given.is_object() && std::all_of(given.begin(), given.end(), [](auto& value) {
                       return value.is_string();
                     });
  if (!texts) refuse(entry_where(where, metadata), shown(given.dump()), "an object of texts");
}

// The bytes of the file belong to one array each.
void require_partition(const std::vector<safetensors_entry>& entries, std::uint64_t data_bytes,
                       std::string_view where) {
  std::uint64_t next = 0;
  for (const safetensors_entry& entry : entries) {
    if (entry.begin != next)
      refuse(entry_where(where, entry.name),
             fmt::format("'data_offsets' is [{}, {}], {}", entry.begin, entry.end,
                         entry.begin < next ? "an overlap" : "after a gap"),
             fmt::format("offsets from {}, where the array before ends", next));
    next = entry.end;
  }
  if (next != data_bytes)
    refuse(where, fmt::format("{} bytes of data", data_bytes),
           fmt::format("{}, as the header says", next));
}

nlohmann::ordered_json to_json(const safetensors_entry& entry) {
  nlohmann::ordered_json item;
  item["dtype"] = std::string(entry.type->name);
  item["shape"] = entry.sizes;
  item["data_offsets"] = {entry.begin, entry.end};
  return item;
}

}  // namespace

const element_type* find_safetensors_type(std::string_view name) {
  for (const element_type& type : safetensors_types)
    if (type.name == name) return &type;
  return nullptr;
}

std::vector<safetensors_entry> parse_safetensors_header(std::string_view text,
                                                        std::uint64_t data_bytes,
                                                        std::string_view where) {
  const json header = parse_strict_json(text, {where, "header", depth_limit, "an object of objects",
                                               "integers from 0 to 2^63 - 1", header_start});
  if (!header.is_object()) refuse(where, "a header that is no JSON object", "an object of arrays");
  std::vector<safetensors_entry> entries;
  for (const auto& item : header.items()) {
    if (item.key() == metadata)
      require_metadata(item.value(), where);
    else
      entries.push_back(read_entry(item.key(), item.value(), where));
  }
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  require_partition(entries, data_bytes, where);
  return entries;
}

std::string print_safetensors_header(const std::vector<safetensors_entry>& entries) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  for (const safetensors_entry& entry : entries) header[entry.name] = to_json(entry);
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  return text;
}

}  // namespace attest
