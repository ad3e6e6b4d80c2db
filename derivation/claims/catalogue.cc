#include "derivation/claims/catalogue.h"

#include <fnmatch.h>

#include <string>

#include "reference/input_error.h"

namespace attest {
namespace {

constexpr const claim* all[] = {
    &claims::shapes,
    &claims::one_cell,
    &claims::six_words,
};

std::string ids() {
  std::string list;
  for (const claim* c : all) list += (list.empty() ? "" : ", ") + std::string(c->id);
  return list;
}

bool matches(const std::string& glob, const std::string& text) {
  return fnmatch(glob.c_str(), text.c_str(), 0) == 0;
}

}  // namespace

std::span<const claim* const> all_claims() { return all; }

const claim& find_claim(std::string_view id) {
  for (const claim* c : all)
    if (c->id == id) return *c;
  throw input_error("unknown claim '" + std::string(id) + "' (allowed: " + ids() + ")");
}

std::vector<const claim*> matching_claims(std::string_view glob) {
  const std::string pattern(glob);
  std::vector<const claim*> found;
  for (const claim* c : all) {
    const std::string id(c->id);
    if (matches(pattern, id) || matches(pattern, std::string(c->section) + "/" + id))
      found.push_back(c);
  }
  if (found.empty())
    throw input_error("no claim matches '" + pattern + "' (allowed: " + ids() + ")");
  return found;
}

std::vector<claim_result> check_claims(std::string_view glob) {
  std::vector<claim_result> results;
  for (const claim* c : matching_claims(glob)) results.push_back(check_claim(*c));
  return results;
}

}  // namespace attest
