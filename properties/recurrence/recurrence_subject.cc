#include "properties/recurrence/recurrence_subject.h"

#include "properties/command/command_subject.h"
#include "properties/exchange/contract_json.h"
#include "reference/input_error.h"

namespace attest {
namespace {

// Of which the caller says another contract.
class redeclared_recurrence : public recurrence_subject {
 public:
  redeclared_recurrence(std::unique_ptr<recurrence_subject> inner, const contract& given)
      : inner_(std::move(inner)), info_(inner_->info()) {
    require_about_inputs(given, info_.about);
    info_.about.given_contract = given;
  }

  const recurrence_info& info() const override { return info_; }
  answer_outcome answer(recurrence_problem& p, tensor& o, tensor* state) override {
    return inner_->answer(p, o, state);
  }

 private:
  std::unique_ptr<recurrence_subject> inner_;
  recurrence_info info_;
};

std::unique_ptr<recurrence_subject> open_any(std::string_view address, const isolation& run) {
  if (address.starts_with(command_prefix))
    return open_recurrence_command(address.substr(command_prefix.size()), run);
  return open_recurrence_plugin(address, run);
}

}  // namespace

std::unique_ptr<recurrence_subject> open_recurrence(std::string_view address,
                                                    const recurrence_declarations& declared) {
  std::unique_ptr<recurrence_subject> s = open_any(address, declared.run);
  require_declared_contracts(s->info().about);
  if (declared.contract.empty()) return s;
  return std::make_unique<redeclared_recurrence>(std::move(s),
                                                 find_or_read_contract(declared.contract));
}

}  // namespace attest
