#include "properties/dump/stored_arrays.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "properties/exchange/byte_source.h"

namespace attest {
namespace {

bool is_among(std::span<const std::string_view> names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string joined(std::span<const std::string_view> names) {
  std::string all;
  for (const std::string_view name : names) all += (all.empty() ? "" : ", ") + std::string(name);
  return all;
}

}  // namespace

stored_arrays::stored_arrays(named_arrays given, std::span<const std::string_view> names,
                             std::span<const std::string_view> answers, std::string where)
    : arrays_(std::move(given)), where_(std::move(where)) {
  for (const auto& [name, a] : arrays_) {
    if (!is_among(names, name)) refuse(where_, "an array named '" + name + "'", joined(names));
    if (a.kind != element_kind::floating)
      fail(name, "holds no floating numbers", "a floating type");
    if (a.values.empty()) fail(name, "is empty", "sizes above 0");
    const bool finite =
        std::all_of(a.values.begin(), a.values.end(), [](double x) { return std::isfinite(x); });
    if (!finite && !is_among(answers, name))
      fail(name, "holds a number that is not finite", "finite numbers");
  }
}

const array& stored_arrays::require(const std::string& name) const {
  if (!holds(name)) fail(name, "is missing", "an array of that name");
  return arrays_.at(name);
}

void stored_arrays::require_sizes(const std::string& name,
                                  const std::vector<std::int64_t>& due) const {
  const array& a = require(name);
  if (a.sizes != due)
    fail(name, "has sizes [" + sizes_text(a.sizes) + "]", "[" + sizes_text(due) + "]");
}

void stored_arrays::fail(const std::string& name, const std::string& given,
                         const std::string& allowed) const {
  refuse(where_, name + " " + given, allowed);
}

}  // namespace attest
