#include "properties/command/command_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "properties/exchange/byte_source.h"
#include "properties/exchange/npy.h"
#include "properties/exchange/npz.h"
#include "properties/exchange/problem_arrays.h"
#include "properties/exchange/safetensors.h"

namespace attest {
namespace {

std::string bytes_of(const named_arrays& arrays, const command_request& r) {
  switch (r.files) {
    case file_kind::npz:
      return npz_bytes(arrays, numpy_lacks::as_bits);
    case file_kind::safetensors:
      return safetensors_bytes(arrays);
    case file_kind::raw:
      return raw_bytes(arrays, r.arrays);
  }
  return {};
}

named_arrays read_file(const command_request& r) {
  switch (r.files) {
    case file_kind::npz:
      return read_npz_file(r.answer_file);
    case file_kind::safetensors:
      return read_safetensors_file(r.answer_file);
    case file_kind::raw:
      return read_raw_file(r.answer_file, r.outputs);
  }
  return {};
}

std::string type_text(const array& a) {
  if (a.kind == element_kind::boolean) return "booleans";
  return a.kind == element_kind::integer ? "integers" : std::string(a.element->name);
}

void require_as_asked(array& a, const raw_entry& due, file_kind files) {
  const bool as_bits = files == file_kind::npz && is_held_as_bits(*due.element);
  auto numbers =
      as_bits || a.kind == element_kind::floating ? as_numbers(a, *due.element) : std::nullopt;
  if (!numbers)
    refuse(due.name, "elements of " + type_text(a),
           std::string(due.element->name) + (as_bits ? ", as its bits in unsigned integers" : ""));
  a = *std::move(numbers);
  if (a.sizes != due.sizes)
    refuse(due.name, "sizes [" + sizes_text(a.sizes) + "]", "[" + sizes_text(due.sizes) + "]");
}

std::string names_of(const std::vector<raw_entry>& entries) {
  std::string names;
  for (const raw_entry& e : entries) names += (names.empty() ? "" : ", ") + e.name;
  return names;
}

}  // namespace

std::vector<raw_entry> asked_outputs(const shape& dims, const format& o, const format* lse) {
  const auto bytes = static_cast<std::uint64_t>(dims.batch * dims.query_heads * dims.queries *
                                                dims.value_width * (o.storage_bits / 8));
  std::vector<raw_entry> outputs{
      {.name = "o",
       .element = &o,
       .sizes = {dims.batch, dims.query_heads, dims.queries, dims.value_width}}};
  if (lse != nullptr)
    outputs.push_back({.name = "lse",
                       .element = lse,
                       .sizes = {dims.batch, dims.query_heads, dims.queries},
                       .offset = bytes});
  return outputs;
}

command_request request_number(std::int64_t n, file_kind files, const temporary_folder& folder) {
  const auto file = [&](const char* what) {
    return folder.file(fmt::format("{}-{}.{}", what, n, name_of(files)));
  };
  command_request r;
  r.id = n;
  r.files = files;
  r.problem_file = file("problem");
  r.answer_file = file("answer");
  return r;
}

void write_problem(command_request& r, const named_arrays& arrays) {
  r.arrays = place_raw(arrays);
  write_bytes(r.problem_file, bytes_of(arrays, r));
}

void write_problem(command_request& r, const problem& p) { write_problem(r, to_arrays(p)); }

void remove_files(const command_request& r) {
  std::error_code ignored;
  for (const std::string& file : {r.problem_file, r.answer_file})
    std::filesystem::remove(file, ignored);
}

named_arrays read_answer(const command_request& r) {
  named_arrays found = read_file(r);
  for (const raw_entry& due : r.outputs) {
    const auto a = found.find(due.name);
    if (a == found.end()) refuse(r.answer_file, "no array named " + due.name, names_of(r.outputs));
    require_as_asked(a->second, due, r.files);
  }
  for (const auto& [name, a] : found) {
    const auto is_it = [&name = name](const raw_entry& e) { return e.name == name; };
    if (std::none_of(r.outputs.begin(), r.outputs.end(), is_it))
      refuse(r.answer_file, fmt::format("an array named '{}'", shown(name)), names_of(r.outputs));
  }
  return found;
}

}  // namespace attest
