#include "properties/catalogue/catalogue.h"

#include <fnmatch.h>

#include <string>

#include "reference/input_error.h"

namespace attest {
namespace {

constexpr const property* all[] = {
    &matches_definition,       &rows_sum_to_1,           &masked_keys_weigh_0, &shift_invariance,
    &permutation_equivariance, &score_variance_is_width,
};

std::string names() {
  std::string list;
  for (const property* p : all) list += (list.empty() ? "" : ", ") + std::string(p->name);
  return list;
}

}  // namespace

std::span<const property* const> catalogue() { return all; }

const property& find_property(std::string_view name) {
  for (const property* p : all)
    if (p->name == name) return *p;
  throw input_error("unknown property '" + std::string(name) + "' (allowed: " + names() + ")");
}

std::vector<const property*> matching_properties(std::string_view glob) {
  std::vector<const property*> found;
  for (const property* p : all)
    if (fnmatch(std::string(glob).c_str(), std::string(p->name).c_str(), 0) == 0)
      found.push_back(p);
  if (found.empty())
    throw input_error("no property matches '" + std::string(glob) + "' (allowed: " + names() + ")");
  return found;
}

}  // namespace attest
