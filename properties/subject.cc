#include "properties/subject.h"

#include <algorithm>

#include "properties/adapter.h"
#include "properties/command/command_subject.h"
#include "properties/identify/identify.h"
#include "properties/onnx/model_subject.h"
#include "reference/contract/presets.h"
#include "reference/input_error.h"

namespace attest {

const contract* subject_info::declared_contract(const format& element) const {
  for (const contract& declared : contracts)
    if (*declared.inputs == element) return &declared;
  return nullptr;
}

origin subject_info::contract_origin(const format& element) const {
  if (given_contract && *given_contract->inputs == element) return origin::given;
  return declared_contract(element) != nullptr ? origin::declared : origin::by_default;
}

const contract& subject_info::contract_for(const format& element) const {
  switch (contract_origin(element)) {
    case origin::given:
      return *given_contract;
    case origin::declared:
      return *declared_contract(element);
    default:
      return default_contract(element);
  }
}

void require_about_inputs(const contract& c, const subject_info& info) {
  const auto is_about = [&](const format* f) { return *f == *c.inputs; };
  if (std::none_of(info.inputs.begin(), info.inputs.end(), is_about))
    throw input_error("contract " + c.name + " is about " + std::string(c.inputs->name) +
                      " inputs, which " + info.name + " does not declare");
}

void require_declared_contracts(const subject_info& info) {
  for (const contract& c : info.contracts) {
    require_about_inputs(c, info);
    const contract& counts = info.contract_for(*c.inputs);
    if (&counts != &c)
      throw input_error(info.name + " declares two contracts about " + std::string(c.inputs->name) +
                        " inputs: " + counts.name + " and " + c.name);
  }
}

std::string_view name_of(origin o) {
  constexpr std::string_view names[] = {"default", "declared", "given", "identified"};
  return names[static_cast<std::size_t>(o)];
}

namespace {

std::unique_ptr<subject> open_any(std::string_view address, const isolation& how) {
  constexpr std::string_view builtin = "builtin:";
  if (address.starts_with(builtin)) return open_builtin(address.substr(builtin.size()));
  if (address.starts_with(command_prefix))
    return open_command(address.substr(command_prefix.size()), how);
  if (is_model_address(address)) return open_model(address, how);
  if (const adapter* a = find_adapter(address)) return open_adapted(*a, address, how);
  return open_plugin(address, how);
}

}  // namespace

std::unique_ptr<subject> open_as_declared(std::string_view address, const isolation& how) {
  std::unique_ptr<subject> s = open_any(address, how);
  require_declared_contracts(s->info());
  return s->info().profile == identify_profile ? with_identified_profile(std::move(s))
                                               : as_member(std::move(s));
}

}  // namespace attest
