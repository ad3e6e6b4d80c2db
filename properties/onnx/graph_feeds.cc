#include "properties/onnx/graph_feeds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "properties/exchange/byte_source.h"

namespace attest {
namespace {

constexpr const char* score_sizes[] = {"B", "Hq", "Lq", "Lk"};
constexpr size_name all_sizes[] = {
    size_name::batch, size_name::query_heads, size_name::kv_heads,   size_name::queries,
    size_name::keys,  size_name::width,       size_name::value_width};

bool holds(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const onnx_value* find_value(const std::vector<onnx_value>& values, const std::string& name) {
  const auto at = std::find_if(values.begin(), values.end(),
                               [&](const onnx_value& v) { return v.name == name; });
  return at == values.end() ? nullptr : &*at;
}

}  // namespace

graph_feeds::graph_feeds(const onnx_model& model, const std::string& where)
    : model_(model), where_(where) {}

void graph_feeds::fail(const std::string& what, const std::string& allowed) const {
  refuse(where_, what, allowed);
}

bool graph_feeds::has(std::size_t slot) const {
  return slot < node().inputs.size() && !node().inputs[slot].empty();
}

const onnx_value& graph_feeds::value(std::size_t slot) const {
  const std::string& name = node().inputs[slot];
  if (holds(model_.initializers, name))
    fail(fmt::format("'{}', which the model holds itself", shown(name)), "an input of the graph");
  const onnx_value* found = find_value(model_.inputs, name);
  if (found == nullptr)
    fail(fmt::format("'{}', which is nowhere", shown(name)), "an input of the graph");
  if (found->data_type == 0)
    fail(fmt::format("'{}' without a type", shown(name)), "a tensor's type");
  if (name.find('\n') != std::string::npos) fail("a name with a line break", "one line");
  return *found;
}

std::size_t graph_feeds::rank_of(std::size_t slot, std::size_t usual) const {
  const onnx_value& v = value(slot);
  return v.is_ranked ? v.sizes.size() : usual;
}

void graph_feeds::feed(std::size_t slot, std::string role, std::vector<std::string> sizes,
                       const std::vector<int>& data_types) {
  const onnx_value& v = value(slot);
  if (std::find(data_types.begin(), data_types.end(), v.data_type) == data_types.end())
    fail(fmt::format("'{}' of data type {}", shown(v.name), v.data_type),
         fmt::format("{}", fmt::join(data_types, ", ")));
  if (v.is_ranked && v.sizes.size() != sizes.size())
    fail(fmt::format("'{}' of rank {}", shown(v.name), v.sizes.size()),
         std::to_string(sizes.size()));
  for (std::size_t n = 0; n < v.sizes.size(); ++n) {
    if (v.sizes[n] != open_size)
      fix(sizes[n], v.sizes[n], v.name);
    else if (n < v.symbols.size() && !v.symbols[n].empty())
      sizes_of_symbol_[v.symbols[n]].push_back(sizes[n]);
  }
  feeds_.push_back({std::move(role), v.data_type, std::move(sizes), v.name});
}

unsigned graph_feeds::feed_mask(std::size_t slot, std::string role,
                                const std::vector<int>& data_types) {
  const onnx_value& v = value(slot);
  const std::size_t rank = rank_of(slot, 4);
  if (rank > 4) fail(fmt::format("'{}' of rank {}", shown(v.name), rank), "up to 4");
  std::vector<std::string> sizes(score_sizes + 4 - rank, score_sizes + 4);
  unsigned axes = 0;
  for (std::size_t n = 0; n < rank; ++n) {
    if (v.is_ranked && v.sizes[n] == 1) sizes[n] = "1";
    if (sizes[n] != "1") axes |= 1u << (4 - rank + n);
  }
  feed(slot, std::move(role), std::move(sizes), data_types);
  return axes;
}

void graph_feeds::fix(const std::string& size, std::int64_t number, const std::string& by) {
  const auto [at, is_new] = fixed_.emplace(size, number);
  if (!is_new && at->second != number)
    fail(fmt::format("{} = {} by '{}'", size, number, shown(by)),
         fmt::format("{}, as before", at->second));
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  const std::int64_t least = size == "P" ? 0 : 1;
  if (number < least || number > most)
    fail(fmt::format("{} = {} by '{}'", size, number, shown(by)),
         fmt::format("{} to {}", least, most));
}

std::optional<std::int64_t> graph_feeds::fixed(const std::string& size) const {
  const auto at = fixed_.find(size);
  return at == fixed_.end() ? std::nullopt : std::optional(at->second);
}

bool graph_feeds::share_symbol(const std::string& one, const std::string& other) const {
  return std::any_of(sizes_of_symbol_.begin(), sizes_of_symbol_.end(), [&](const auto& entry) {
    return holds(entry.second, one) && holds(entry.second, other);
  });
}

void graph_feeds::fix_width(call_limits& l, const char* product, size_name heads,
                            size_name width) const {
  const auto all = fixed(product);
  if (!all || !l.fixed(heads)) return;
  const std::int64_t number = *l.fixed(heads), each = *all / number;
  auto& held = l.sizes[static_cast<std::size_t>(width)];
  if (*all % number != 0 || (held && *held != each))
    fail(fmt::format("a width of {} for {} heads", *all, number),
         held ? std::to_string(*held * number) : "a multiple");
  held = each;
}

void graph_feeds::equate(call_limits& l) const {
  for (std::size_t one = 0; one < size_names; ++one)
    for (std::size_t other = one + 1; other < size_names; ++other)
      if (share_symbol(std::string(name_of(all_sizes[one])),
                       std::string(name_of(all_sizes[other]))))
        l.equal.emplace_back(all_sizes[one], all_sizes[other]);
  const bool same_heads = l.are_equal(size_name::query_heads, size_name::kv_heads);
  if (share_symbol("HkvD", "HkvDv") || (same_heads && share_symbol("HqD", "HkvDv")))
    l.equal.emplace_back(size_name::width, size_name::value_width);
}

call_limits graph_feeds::limits() const {
  call_limits l;
  for (std::size_t n = 0; n < size_names; ++n)
    l.sizes[n] = fixed(std::string(name_of(all_sizes[n])));
  fix_width(l, "HqD", size_name::query_heads, size_name::width);
  fix_width(l, "HkvD", size_name::kv_heads, size_name::width);
  fix_width(l, "HkvDv", size_name::kv_heads, size_name::value_width);
  equate(l);
  return l;
}

void graph_feeds::require_all_fed() const {
  for (const onnx_value& v : model_.inputs) {
    const bool is_fed = std::any_of(feeds_.begin(), feeds_.end(),
                                    [&](const graph_feed& f) { return f.name == v.name; });
    if (!is_fed && !holds(model_.initializers, v.name))
      fail(fmt::format("the input '{}', of which it is not known what to feed it", shown(v.name)),
           "those of the operator");
  }
}

std::string graph_feeds::text(const std::string& past, std::size_t output_rank) const {
  const std::string& output = node().outputs.front();
  if (find_value(model_.outputs, output) == nullptr || output.find('\n') != std::string::npos)
    fail(fmt::format("'{}', which is no output of the graph", shown(output)),
         "the attention's result");
  std::string lines = fmt::format("output {} {}\npast {}\n", output_rank, output, past);
  for (const graph_feed& f : feeds_) {
    const std::string sizes = f.sizes.empty() ? "-" : fmt::format("{}", fmt::join(f.sizes, ","));
    lines += fmt::format("{} {} {} {}\n", f.role, f.data_type, sizes, f.name);
  }
  return lines;
}

}  // namespace attest
