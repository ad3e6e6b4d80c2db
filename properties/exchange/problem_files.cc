#include "properties/exchange/problem_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "properties/exchange/array_file.h"
#include "properties/exchange/byte_source.h"

namespace attest {
namespace {

constexpr std::string_view operands[] = {"q", "k", "v"};
constexpr std::string_view names[] = {"q",
                                      "k",
                                      "v",
                                      "mask",
                                      "bias",
                                      "sink",
                                      "slopes",
                                      "lengths",
                                      "query_segments",
                                      "key_segments",
                                      "block_mask",
                                      "parameter_0",
                                      "parameter_1",
                                      "parameter_2",
                                      "parameter_3",
                                      "dropout_mask",
                                      "page_table"};
constexpr std::string_view answer_names[] = {"o", "lse"};
constexpr std::string_view cotangent_names[] = {"do", "dlse"};
constexpr std::string_view names_of_gradients[] = {"dq", "dk", "dv", "dbias", "dsink", "dslopes"};

using name_list = std::vector<std::string_view>;

template <class Names>
void append(name_list& all, const Names& more) {
  all.insert(all.end(), std::begin(more), std::end(more));
}

name_list allowed_names(arrays_beside beside) {
  name_list all(std::begin(names), std::end(names));
  if (beside == arrays_beside::nothing) return all;
  append(all, answer_names);
  if (beside == arrays_beside::answer) return all;
  append(all, cotangent_names);
  append(all, names_of_gradients);
  return all;
}

std::string text_of(const name_list& all) { return fmt::format("{}", fmt::join(all, ", ")); }

void put(found_arrays& found, const std::string& name, found_array a) {
  const auto [place, fresh] = found.try_emplace(name, std::move(a));
  if (!fresh) refuse(a.where, name + " is given twice, here and in " + place->second.where, "once");
}

// A misspelt mask that is passed over would make the exact answer a wrong one.
void require_known(const std::string& name, std::string_view path, arrays_beside beside) {
  const name_list allowed = allowed_names(beside);
  if (std::find(allowed.begin(), allowed.end(), name) == allowed.end())
    refuse(path, fmt::format("an array named '{}'", shown(name)), text_of(allowed));
}

void find_in_one(const std::string& path, found_arrays& found, arrays_beside beside) {
  if (!names_its_arrays(path))
    refuse(path, "one .npy file", "three, for q, k and v, or one .npz or .safetensors file");
  named_arrays arrays = read_arrays(path);
  for (auto& [name, a] : arrays) {
    require_known(name, path, beside);
    put(found, name, {std::move(a), path + ": " + name});
  }
}

void find_alone(const std::string& name, const std::string& path, found_arrays& found) {
  if (!path.empty()) put(found, name, {read_array(path), path});
}

void require(const found_arrays& found, std::string_view name, const std::string& path,
             std::string_view allowed) {
  if (!found.contains(std::string(name)))
    refuse(path, fmt::format("no array named {}", name), allowed);
}

void require_beside(const found_arrays& found, arrays_beside beside, const std::string& path) {
  if (beside == arrays_beside::answer) require(found, "o", path, "the output, named o");
  if (beside != arrays_beside::gradients) return;
  require(found, "do", path, "what the backward pass was given, named do");
  const auto is_found = [&](std::string_view name) { return found.contains(std::string(name)); };
  if (std::none_of(std::begin(names_of_gradients), std::end(names_of_gradients), is_found))
    refuse(path, "no gradient",
           text_of(name_list(std::begin(names_of_gradients), std::end(names_of_gradients))));
}

}  // namespace

found_arrays find_arrays(const problem_files& files, arrays_beside beside) {
  found_arrays found;
  if (files.in.size() == 1)
    find_in_one(files.in[0], found, beside);
  else if (files.in.size() == std::size(operands))
    for (std::size_t n = 0; n < std::size(operands); ++n)
      find_alone(std::string(operands[n]), files.in[n], found);
  else
    refuse("--in", fmt::format("{} files", files.in.size()),
           "three, for q, k and v, or one .npz or .safetensors file");
  find_alone("mask", files.mask, found);
  find_alone("bias", files.bias, found);
  find_alone("sink", files.sink, found);
  find_alone("lengths", files.lengths, found);
  find_alone("o", files.o, found);
  find_alone("lse", files.lse, found);
  require_beside(found, beside, files.in[0]);
  for (const std::string_view name : operands)
    require(found, name, files.in[0], "q, k and v in one file");
  return found;
}

}  // namespace attest
