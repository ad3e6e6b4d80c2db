// A subject about which a caller says something else than it says of itself.
#include "properties/adapter.h"
#include "properties/exchange/contract_json.h"
#include "properties/identify/identify.h"
#include "properties/subject.h"
#include "reference/input_error.h"
#include "reference/semantics/fields.h"
#include "reference/semantics/profiles.h"
#include "reference/text.h"

namespace attest {
namespace {

class redeclared_subject : public subject {
 public:
  redeclared_subject(std::unique_ptr<subject> inner, subject_info info)
      : inner_(std::move(inner)), info_(std::move(info)) {}

  const subject_info& info() const override { return info_; }
  bool concurrent() const override { return inner_->concurrent(); }
  bool computes(const semantics& rules) const override { return inner_->computes(rules); }
  answer_outcome answer(problem& p, tensor& o, tensor* lse) override {
    return inner_->answer(p, o, lse);
  }
  bool heeds_threads() const override { return inner_->heeds_threads(); }
  answer_outcome answer_in(manner how, problem& p, tensor& o, tensor* lse) override {
    return inner_->answer_in(how, p, o, lse);
  }

 private:
  std::unique_ptr<subject> inner_;
  subject_info info_;
};

// Those of them that differ from the default, for the replay line.
std::string given_options(const isolation& run) {
  const isolation usual;
  std::string text;
  if (run.timeout_seconds != usual.timeout_seconds)
    text += "--timeout " + to_text(run.timeout_seconds) + " ";
  if (run.memory_mib != usual.memory_mib)
    text += "--memory " + std::to_string(run.memory_mib) + " ";
  return run.apart ? text : text + "--no-isolation ";
}

}  // namespace

std::unique_ptr<subject> as_member(std::unique_ptr<subject> s) {
  const semantics rules = find_profile(s->info().profile);
  semantics plain = rules;
  plain.scored_by = scorer::scaled_dot;
  plain.normalised_by = normalizer::softmax;
  if (!s->computes(rules))
    throw input_error("subject " + s->info().name + " does not compute " +
                      differences(rules, plain) +
                      " (allowed: scorer=scaled_dot or dot with normalizer=softmax)");
  if (rules.is_softmax()) return s;
  subject_info info = s->info();
  info.features = info.features.without(feature::sink).without(feature::lse);
  if (info.features == s->info().features) return s;
  return std::make_unique<redeclared_subject>(std::move(s), std::move(info));
}

std::unique_ptr<subject> with_address(std::unique_ptr<subject> s, std::string_view address) {
  subject_info info = s->info();
  info.address = address;
  return std::make_unique<redeclared_subject>(std::move(s), std::move(info));
}

std::unique_ptr<subject> with_identified_profile(std::unique_ptr<subject> s) {
  subject_info info = s->info();
  info.profile = identify(*s).nearest;
  info.profile_origin = origin::identified;
  return std::make_unique<redeclared_subject>(std::move(s), std::move(info));
}

std::unique_ptr<subject> open_subject(std::string_view address, const declarations& declared) {
  std::unique_ptr<subject> inner = open_as_declared(address, declared.run);
  const std::string how_run = given_options(declared.run);
  if (declared.contract.empty() && declared.profile.empty() && how_run.empty())
    return as_member(std::move(inner));
  subject_info info = inner->info();
  info.given_options += how_run;
  if (!declared.contract.empty()) {
    info.given_contract = find_or_read_contract(declared.contract);
    require_about_inputs(*info.given_contract, info);
    info.given_options += "--contract " + declared.contract + " ";
  }
  const bool identifies = declared.profile == identify_profile;
  if (!declared.profile.empty()) {
    if (!identifies) find_profile(declared.profile);
    info.profile = declared.profile;
    info.profile_origin = origin::given;
    info.given_options += "--profile " + declared.profile + " ";
  }
  auto s = std::make_unique<redeclared_subject>(std::move(inner), std::move(info));
  return identifies ? with_identified_profile(std::move(s)) : as_member(std::move(s));
}

}  // namespace attest
