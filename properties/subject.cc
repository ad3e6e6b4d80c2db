#include "properties/subject.h"

#include "properties/identify/identify.h"
#include "reference/contract/presets.h"

namespace attest {

const contract& subject_info::contract_for(const format& element) const {
  for (const contract& declared : contracts)
    if (*declared.inputs == element) return declared;
  return default_contract(element);
}

std::string_view name_of(profile_origin origin) {
  constexpr std::string_view names[] = {"default", "declared", "given", "identified"};
  return names[static_cast<std::size_t>(origin)];
}

std::unique_ptr<subject> open_subject(std::string_view address) {
  constexpr std::string_view builtin = "builtin:";
  const bool is_builtin = address.substr(0, builtin.size()) == builtin;
  std::unique_ptr<subject> s =
      is_builtin ? open_builtin(address.substr(builtin.size())) : open_plugin(address);
  return s->info().profile == identify_profile ? with_identified_profile(std::move(s))
                                               : std::move(s);
}

}  // namespace attest
