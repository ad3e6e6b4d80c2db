// A plugin of attest_recurrence.h in a process of its own.
#include <algorithm>

#include "properties/exchange/contract_json.h"
#include "properties/plugin/plugin_library.h"
#include "properties/plugin/restarted_process.h"
#include "properties/recurrence/recurrence_call.h"
#include "properties/recurrence/recurrence_subject.h"
#include "properties/time_outs.h"
#include "reference/input_error.h"

namespace attest {
namespace {

using f = recurrence_feature;

// The ABI's bits are the feature list's.
constexpr bool same_bit(std::uint64_t abi, recurrence_feature each) {
  return recurrence_features(abi) == recurrence_features().with(each);
}
static_assert(same_bit(ATTEST_RECURRENCE_SUM, f::sum));
static_assert(same_bit(ATTEST_RECURRENCE_DELTA, f::delta));
static_assert(same_bit(ATTEST_RECURRENCE_HEAD_DECAY, f::head_decay));
static_assert(same_bit(ATTEST_RECURRENCE_POSITION_DECAY, f::position_decay));
static_assert(same_bit(ATTEST_RECURRENCE_CHANNEL_DECAY, f::channel_decay));
static_assert(same_bit(ATTEST_RECURRENCE_ERASE, f::erase));
static_assert(same_bit(ATTEST_RECURRENCE_IDENTITY, f::identity));
static_assert(same_bit(ATTEST_RECURRENCE_ELU_PLUS_1, f::elu_plus_1));
static_assert(same_bit(ATTEST_RECURRENCE_RELU, f::relu));
static_assert(same_bit(ATTEST_RECURRENCE_NORMALISED, f::normalised));
static_assert(same_bit(ATTEST_RECURRENCE_STATE_IN, f::state_in));
static_assert(same_bit(ATTEST_RECURRENCE_STATE_OUT, f::state_out));
static_assert(same_bit(ATTEST_RECURRENCE_SCALE, f::scale));
static_assert(same_bit(ATTEST_RECURRENCE_GROUPED_HEADS, f::grouped_heads));
static_assert(same_bit(ATTEST_RECURRENCE_VALUE_WIDTH, f::value_width));
static_assert(same_bit(ATTEST_RECURRENCE_STRIDES, f::strides));
static_assert(same_bit(ATTEST_RECURRENCE_EXP_FEATURES, f::exp_features));
static_assert(recurrence_features::all() == recurrence_features(known_recurrence_features));

// attest-host has looked at it, but what comes from there is looked at again.
recurrence_info read_info(const plugin_description& d, std::string_view address) {
  recurrence_info info;
  info.features = recurrence_features(d.features);
  if (!recurrence_features::all().contains(info.features) || d.dtypes == 0 ||
      d.dtypes >> recurrence_input_dtypes != 0)
    throw input_error("plugin " + d.name + " declares features or dtypes that are not known");
  require_answerable(info.features, "plugin " + std::string(address));
  info.about.address = address;
  info.about.name = d.name;
  info.about.version = d.version;
  for (std::size_t n = 0; n < recurrence_input_dtypes; ++n)
    if ((d.dtypes >> n & 1) != 0) info.about.inputs.push_back(plugin_dtypes[n]);
  if (d.contract)
    info.about.contracts = parse_declared_contracts(*d.contract, d.name + "'s contract");
  return info;
}

// In the parallel form, which does the most.
double multiply_adds_of(const linear_problem& p) {
  const shape& s = p.dims;
  const double positions = static_cast<double>(s.queries);
  const std::int64_t width = std::max(s.width, p.channels());
  return static_cast<double>(s.batch * s.query_heads) * positions *
         (positions + static_cast<double>(width)) * static_cast<double>(width + s.value_width);
}

class recurrence_plugin : public recurrence_subject {
 public:
  recurrence_plugin(std::string_view address, const isolation& limits)
      : timeout_seconds_(limits.timeout_seconds),
        process_({plugin_address(address), recurrence_form, limits}),
        info_(read_info(process_.start(), address)) {}

  const recurrence_info& info() const override { return info_; }

  answer_outcome answer(recurrence_problem& p, tensor& o, tensor* state) override {
    time_outs_.require_fewer();
    answer_outcome outcome = ask(p, o, state);
    time_outs_.count(outcome.status);
    return outcome;
  }

 private:
  answer_outcome ask(recurrence_problem& p, tensor& o, tensor* state) {
    const recurrence_call call(p, o, state);
    wire::call_numbers numbers;
    numbers.recurrence = call.numbers();
    const double seconds = call_seconds(multiply_adds_of(p.posed), timeout_seconds_);
    return process_.answer(manner::usual, {numbers, call.tensors(), seconds});
  }

  double timeout_seconds_;
  restarted_process process_;
  recurrence_info info_;
  time_outs time_outs_;
};

}  // namespace

std::unique_ptr<recurrence_subject> open_recurrence_plugin(std::string_view address,
                                                           const isolation& limits) {
  return std::make_unique<recurrence_plugin>(address, limits);
}

}  // namespace attest
