#include "properties/subject.h"

#include "properties/adapter.h"
#include "properties/command/command_subject.h"
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

namespace {

std::unique_ptr<subject> open_any(std::string_view address, const isolation& how) {
  constexpr std::string_view builtin = "builtin:";
  if (address.starts_with(builtin)) return open_builtin(address.substr(builtin.size()));
  if (address.starts_with(command_prefix))
    return open_command(address.substr(command_prefix.size()), how);
  if (const adapter* a = find_adapter(address)) return open_adapted(*a, address, how);
  return open_plugin(address, how);
}

}  // namespace

std::unique_ptr<subject> open_as_declared(std::string_view address, const isolation& how) {
  std::unique_ptr<subject> s = open_any(address, how);
  return s->info().profile == identify_profile ? with_identified_profile(std::move(s))
                                               : std::move(s);
}

}  // namespace attest
