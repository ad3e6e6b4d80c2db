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

std::unique_ptr<subject> open_as_declared(std::string_view address) {
  constexpr std::string_view builtin = "builtin:";
  if (address.starts_with(builtin)) return open_builtin(address.substr(builtin.size()));
  if (address.starts_with(command_prefix))
    return open_command(address.substr(command_prefix.size()));
  if (const adapter* a = find_adapter(address)) return open_adapted(*a, address);
  return open_plugin(address);
}

}  // namespace

std::unique_ptr<subject> open_subject(std::string_view address) {
  std::unique_ptr<subject> s = open_as_declared(address);
  return s->info().profile == identify_profile ? with_identified_profile(std::move(s))
                                               : std::move(s);
}

}  // namespace attest
