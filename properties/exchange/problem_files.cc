#include "properties/exchange/problem_files.h"

#include <fmt/format.h>

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

std::string allowed_names() {
  std::string all;
  for (const std::string_view name : names) all += (all.empty() ? "" : ", ") + std::string(name);
  return all;
}

void put(found_arrays& found, const std::string& name, found_array a) {
  const auto [place, fresh] = found.try_emplace(name, std::move(a));
  if (!fresh) refuse(a.where, name + " is given twice, here and in " + place->second.where, "once");
}

// A misspelt mask that is passed over would make the exact answer a wrong one.
void require_known(const std::string& name, std::string_view path, bool answer) {
  const auto is_among = [&](const auto& all) {
    return std::find(std::begin(all), std::end(all), name) != std::end(all);
  };
  if (!is_among(names) && !(answer && is_among(answer_names)))
    refuse(path, fmt::format("an array named '{}'", shown(name)),
           allowed_names() + (answer ? ", o, lse" : ""));
}

void find_in_one(const std::string& path, found_arrays& found, bool answer) {
  if (!names_its_arrays(path))
    refuse(path, "one .npy file", "three, for q, k and v, or one .npz or .safetensors file");
  named_arrays arrays = read_arrays(path);
  for (auto& [name, a] : arrays) {
    require_known(name, path, answer);
    put(found, name, {std::move(a), path + ": " + name});
  }
}

void find_alone(const std::string& name, const std::string& path, found_arrays& found) {
  if (!path.empty()) put(found, name, {read_array(path), path});
}

}  // namespace

found_arrays find_arrays(const problem_files& files, bool answer) {
  found_arrays found;
  if (files.in.size() == 1)
    find_in_one(files.in[0], found, answer);
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
  if (answer && !found.contains("o"))
    refuse(files.in[0], "no array named o", "the output, named o");
  for (const std::string_view name : operands)
    if (!found.contains(std::string(name)))
      refuse(files.in[0], fmt::format("no array named {}", name), "q, k and v in one file");
  return found;
}

}  // namespace attest
