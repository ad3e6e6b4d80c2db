// Every member of the family by name.
#pragma once

#include <string>
#include <vector>

#include "reference/semantics/fields.h"

namespace attest {

// "scorer=dot,normalizer=ratio", for every pair.
inline std::vector<std::string> every_member() {
  std::vector<std::string> all;
  for (const field_value& s : find_field("scorer").values)
    for (const field_value& n : find_field("normalizer").values)
      all.push_back("scorer=" + std::string(s.name) + ",normalizer=" + std::string(n.name));
  return all;
}

}  // namespace attest
