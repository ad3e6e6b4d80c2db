#include "properties/recurrence/recurrence_call.h"

namespace attest {
namespace {

// The ABI's numbers are the enumerators'.
static_assert(ATTEST_DECAY_NONE == static_cast<int>(decay_kind::none));
static_assert(ATTEST_DECAY_HEAD == static_cast<int>(decay_kind::head));
static_assert(ATTEST_DECAY_POSITION == static_cast<int>(decay_kind::position));
static_assert(ATTEST_DECAY_CHANNEL == static_cast<int>(decay_kind::channel));
static_assert(ATTEST_MAP_IDENTITY == static_cast<int>(feature_map::identity));
static_assert(ATTEST_MAP_ELU_PLUS_1 == static_cast<int>(feature_map::elu_plus_1));
static_assert(ATTEST_MAP_RELU == static_cast<int>(feature_map::relu));
static_assert(ATTEST_MAP_EXP_FEATURES == static_cast<int>(feature_map::exp_features));

}  // namespace

recurrence_call::recurrence_call(recurrence_problem& asked, tensor& o, tensor* state) {
  linear_problem& p = asked.posed;
  numbers_.size = sizeof numbers_;
  numbers_.rule = p.rate ? ATTEST_RULE_DELTA : ATTEST_RULE_SUM;
  numbers_.feature_map = static_cast<std::uint32_t>(p.map);
  numbers_.decay_of = static_cast<std::uint32_t>(asked.decay);
  numbers_.normalised = p.normalised ? 1 : 0;
  numbers_.scale = p.scale_or_usual();
  show(recurrence_role::q, p.q);
  show(recurrence_role::k, p.k);
  show(recurrence_role::v, p.v);
  show(recurrence_role::decay, p.decay);
  show(recurrence_role::rate, p.rate);
  show(recurrence_role::erase, p.erase);
  show(recurrence_role::state, p.state);
  show(recurrence_role::draws, p.draws);
  show(recurrence_role::o, o);
  if (state != nullptr) show(recurrence_role::state_out, *state);
}

void recurrence_call::show(recurrence_role role, tensor& t) {
  call_tensor& shown = tensors_[index_of(role)];
  shown = describe(t);
  field_of(numbers_, role) = &shown.shown;
}

void recurrence_call::show(recurrence_role role, std::optional<tensor>& t) {
  if (t) show(role, *t);
}

}  // namespace attest
