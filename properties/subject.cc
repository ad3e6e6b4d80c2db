#include "properties/subject.h"

#include "reference/contract/presets.h"

namespace attest {

const contract& subject_info::contract_for(const format& element) const {
  for (const contract& declared : contracts)
    if (*declared.inputs == element) return declared;
  return default_contract(element);
}

std::unique_ptr<subject> open_subject(std::string_view address) {
  constexpr std::string_view builtin = "builtin:";
  if (address.substr(0, builtin.size()) == builtin)
    return open_builtin(address.substr(builtin.size()));
  return open_plugin(address);
}

}  // namespace attest
